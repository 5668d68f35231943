import { listUniversities } from '@portal/contracts/catalog/http'
import { call, type Answer } from './http.ts'
import { useRequestQuery, type LoadState } from './query.ts'

export type UniversityNames = { readonly state: LoadState<readonly string[]>; readonly reload: () => void }

const loadNames = async (signal: AbortSignal): Promise<Answer<readonly string[]>> => {
  const answer = await call(listUniversities, { signal })
  return answer.success ? { success: true, data: [...new Set(answer.data.map(({ name }) => name))] } : answer
}

/** The names of the universities to choose from. */
export const useUniversityNames = (): UniversityNames =>
  useRequestQuery({ key: ['university-names'], request: loadNames })
