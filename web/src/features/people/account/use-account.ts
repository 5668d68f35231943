import { getPerson, type Person } from '@portal/contracts/auth/accounts'
import type { UserId } from '@portal/contracts/shared/ids'
import { useCallback } from 'react'
import { call, type Answer } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'

/** The account of a person with its history. Missing for a deleted one. */
export const useAccount = (userId: UserId) => {
  const request = useCallback(
    async (signal: AbortSignal): Promise<Answer<Person>> => {
      const answer = await call(getPerson, { params: { id: userId }, signal })
      return answer.success ? { success: true, data: answer.data.person } : answer
    },
    [userId],
  )
  return useRequestQuery({ key: ['account', userId], request })
}
