import { getAudienceChoices } from '@portal/contracts/notifications/http'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { useEffect, useMemo } from 'react'
import { call } from '../../../../lib/http.ts'
import { useRequestQuery } from '../../../../lib/query.ts'

/** The number of learners in a program; undefined while it is unknown. */
export type EnrolledIn = (id: ProgramRecordId) => number | undefined

type Enrolled = {
  /** Those whom a notification can reach. */
  readonly enrolledIn: EnrolledIn
  /** Those whom the list of its learners has. */
  readonly listedIn: EnrolledIn
}

/**
 * How many learners are enrolled in each program, without deleted accounts. The send form shows the same numbers. They are
 * unknown while they load and after a failure, which is only logged.
 */
export const useEnrolledIn = (): Enrolled => {
  const { state } = useRequestQuery({
    key: ['audience-choices'],
    request: (signal) => call(getAudienceChoices, { signal }),
  })
  const programs = state.kind === 'loaded' ? state.data.programs : undefined
  const failure = state.kind === 'failed' ? state.failure.message : undefined
  useEffect(() => {
    if (failure !== undefined) console.error('Counting enrollments failed', failure)
  }, [failure])
  const known = useMemo(() => new Map(programs?.map((program) => [program.programId, program])), [programs])
  // A program that the answer lacks is newer than it.
  return {
    enrolledIn: (id) => (programs ? (known.get(id)?.count ?? 0) : undefined),
    listedIn: (id) => (programs ? (known.get(id)?.listed ?? known.get(id)?.count ?? 0) : undefined),
  }
}
