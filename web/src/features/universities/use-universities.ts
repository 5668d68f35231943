import type { University } from '@portal/contracts/catalog/http'
import { useState } from 'react'
import type { Answer } from '../../lib/http.ts'
import { useAnswer } from '../../lib/use-answer.ts'
import { add, fetchUniversities, remove, rename } from './api.ts'

const failures = {
  load: 'Failed to load universities. Please try again.',
  add: 'Failed to add university. Please try again.',
  update: 'Failed to update university. Please try again.',
  delete: 'Failed to delete university. Please try again.',
} as const

/** A name that is taken, too long and so on: the server's words say what to do about it. */
const isAboutTheName = (code: string | undefined) => code === 'conflict' || code === 'invalid'

/** The list and what an admin does with it; each change loads the list anew. `error` is the red banner's text. */
export const useUniversities = () => {
  const { state, reload } = useAnswer(fetchUniversities)
  const [error, setError] = useState<string | null>(null)

  const change = async <T>(answer: Promise<Answer<T>>, failure: string): Promise<boolean> => {
    setError(null)
    const done = await answer
    if (!done.success) {
      setError(isAboutTheName(done.code) ? done.message : failure)
      return false
    }
    const listed = await reload()
    if (!listed.success) setError(failures.load)
    return true
  }

  return {
    state,
    reload,
    error: error ?? (state.kind === 'failed' ? failures.load : null),
    clearError: () => setError(null),
    add: (name: string) => change(add(name), failures.add),
    rename: ({ _id }: University, name: string) => change(rename(_id, name), failures.update),
    remove: ({ _id }: University) => change(remove(_id), failures.delete),
  }
}
