import { universityNameTaken } from '@portal/contracts/catalog/errors'
import type { University } from '@portal/contracts/catalog/http'
import { failures, isRejected, requestAdd } from './use-universities.ts'

type AddMany = {
  readonly names: readonly string[]
  readonly onProgress: (done: number) => void
  readonly signal: AbortSignal
}

type Added = {
  readonly added: readonly University[]
  /** Why the rest was not added. */
  readonly failure?: string
}

/** Adds universities one after the other, until all are added, one fails, or the signal aborts. */
export const addMany = async ({ names, onProgress, signal }: AddMany): Promise<Added> => {
  const added: University[] = []
  for (const [n, name] of names.entries()) {
    if (signal.aborted) break
    onProgress(n)
    const answer = await requestAdd(name)
    if (answer.success) added.push(answer.data.data)
    // Another admin may have added the same name meanwhile.
    else if (answer.message !== universityNameTaken.message) {
      const reason = isRejected(answer.code) ? answer.message : failures.add
      return { added, failure: `${added.length} of ${names.length} universities were added. “${name}”: ${reason}` }
    }
  }
  return { added }
}
