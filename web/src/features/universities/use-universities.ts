import {
  addUniversity,
  listUniversities,
  removeUniversity,
  renameUniversity,
  type University,
} from '@portal/contracts/catalog/http'
import { useState } from 'react'
import { call, type Answer } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'

const failures = {
  load: 'Failed to load universities. Please try again.',
  add: 'Failed to add university. Please try again.',
  update: 'Failed to update university. Please try again.',
  delete: 'Failed to delete university. Please try again.',
} as const

/** The server's message says what is wrong with the name: taken, too long and so on. */
const isAboutTheName = (code: string | undefined) => code === 'conflict' || code === 'invalid'

/** The red banner. `retry`: for a failed load. `close`: absent where the banner is all that is shown. */
type LoadOrSaveError = { readonly text: string; readonly retry?: () => void; readonly close?: () => void }

/** The list and an admin's changes of it; each change reloads the list. */
export const useUniversities = () => {
  const { state, reload } = useRequestQuery({
    key: ['universities'],
    request: (signal) => call(listUniversities, { signal }),
  })
  const [failure, setFailure] = useState<string | null>(null)

  const load = async (): Promise<void> => {
    setFailure(null)
    const listed = await reload()
    // The list on show stays but may be out of date.
    if (!listed.success && state.kind === 'loaded') setFailure(failures.load)
  }

  const change = async <T>(answer: Promise<Answer<T>>, words: string): Promise<boolean> => {
    setFailure(null)
    const done = await answer
    if (done.success) await load()
    else setFailure(isAboutTheName(done.code) ? done.message : words)
    return done.success
  }

  const errorOf = (text: string): LoadOrSaveError => ({
    text,
    ...(text === failures.load && { retry: () => void load() }),
    ...(text === failure && { close: () => setFailure(null) }),
  })
  const text = failure ?? (state.kind === 'failed' ? failures.load : null)

  return {
    state,
    error: text === null ? null : errorOf(text),
    add: (name: string) => change(call(addUniversity, { body: { name } }), failures.add),
    rename: ({ _id }: University, name: string) =>
      change(call(renameUniversity, { params: { id: _id }, body: { name } }), failures.update),
    remove: ({ _id }: University) => change(call(removeUniversity, { params: { id: _id } }), failures.delete),
  }
}
