import { type ApiKey, listApiKeys } from '@portal/contracts/auth/api-keys'
import { call, type Answer } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'

const key = ['api-keys']

const requestApiKeys = async (signal: AbortSignal): Promise<Answer<readonly ApiKey[]>> => {
  const answer = await call(listApiKeys, { signal })
  return answer.success ? { success: true, data: answer.data.apiKeys } : answer
}

/** The API keys of the admin, newest first. */
export const useApiKeys = () => useRequestQuery({ key, request: requestApiKeys })
