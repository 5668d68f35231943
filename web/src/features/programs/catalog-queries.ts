import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { getMyProgram, getProgram, listMyPrograms, listPrograms } from '@portal/contracts/catalog/http'
import type { Program } from '@portal/contracts/catalog/program'
import { call, type Answer } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { applyToEnrolledProgram, applyToEnrollments, applyToProgram, applyToPrograms } from './apply-catalog-change.ts'
import { useCatalogQuery } from './use-catalog-query.ts'

/** The programs on offer, for every reader. */
export const usePrograms = () =>
  useCatalogQuery({
    key: ['programs'],
    request: (signal) => call(listPrograms, { signal }),
    apply: applyToPrograms,
  })

/** A program by its id; null while it is removed. */
export const useProgram = (id: string) =>
  useCatalogQuery({
    key: ['program', id],
    request: async (signal): Promise<Answer<Program | null>> => {
      const answer = await call(getProgram, { params: { id }, signal })
      return answer.success ? { success: true, data: answer.data.data } : answer
    },
    apply: applyToProgram(id),
  })

/** A program that the reader is enrolled in: its current version, or its last one if it was withdrawn. */
export const useEnrolledProgram = (id: string) =>
  useCatalogQuery({
    key: ['enrolled-program', id],
    request: async (signal) => {
      const answer = await call(getMyProgram, { params: { id }, signal })
      return answer.success ? { success: true as const, data: answer.data.data } : answer
    },
    apply: applyToEnrolledProgram,
    needsRequest: (change) => change.kind === 'enrollment-ended' && change.programId === id,
  })

/** The user's enrollments. Visitors and faculty members have none, so no request is sent. */
export const useEnrollments = () => {
  const session = useSession()
  const mayBeEnrolled = session !== null && session.user.role !== 'faculty'
  return useCatalogQuery({
    key: ['enrollments', { mayBeEnrolled }],
    request: async (signal): Promise<Answer<readonly Enrollment[]>> => {
      if (!mayBeEnrolled) return { success: true, data: [] }
      const answer = await call(listMyPrograms, { signal })
      return answer.success ? { success: true, data: answer.data.programs } : answer
    },
    apply: applyToEnrollments,
  })
}
