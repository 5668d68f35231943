import type { Enrollment } from '@portal/contracts/catalog/enrollment'
import { useCallback } from 'react'
import type { Answer } from '../../lib/http.ts'
import { useSession } from '../../lib/session.ts'
import { applyToEnrollments } from './apply-catalog-change.ts'
import { loadEnrollments } from './api.ts'
import { useLiveAnswer } from './use-live-answer.ts'

/** What the reader is enrolled in. Nobody is asked for the faculty, nor for one who is not signed in: they are enrolled in nothing. */
export const useEnrollments = () => {
  const session = useSession()
  const mayBeEnrolled = session !== null && session.user.role !== 'faculty'
  const ask = useCallback(
    async (signal: AbortSignal): Promise<Answer<readonly Enrollment[]>> => {
      if (!mayBeEnrolled) return { success: true, data: [] }
      const answer = await loadEnrollments(signal)
      return answer.success ? { success: true, data: answer.data.programs } : answer
    },
    [mayBeEnrolled],
  )
  return useLiveAnswer(ask, applyToEnrollments)
}
