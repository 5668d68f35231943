import { getSecondFactor, type SecondFactor } from '@portal/contracts/auth/second-factor'
import { call, type Answer } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'

const key = ['second-factor']

const requestSecondFactor = async (signal: AbortSignal): Promise<Answer<SecondFactor>> => {
  const answer = await call(getSecondFactor, { signal })
  return answer.success ? { success: true, data: answer.data.secondFactor } : answer
}

export const useSecondFactor = () => useRequestQuery({ key, request: requestSecondFactor })
