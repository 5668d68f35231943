import { listUniversities } from '@portal/contracts/catalog/http'
import { call, type Answer } from '../../../lib/http.ts'
import { useRequestQuery, type LoadState } from '../../../lib/query.ts'

export type Universities = { readonly state: LoadState<readonly string[]>; readonly reload: () => void }

const loadNames = async (signal: AbortSignal): Promise<Answer<readonly string[]>> => {
  const answer = await call(listUniversities, { signal })
  return answer.success ? { success: true, data: [...new Set(answer.data.map(({ name }) => name))] } : answer
}

/** The names to choose from. */
export const useUniversities = (): Universities => useRequestQuery({ key: ['university-names'], request: loadNames })
