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

export const failures = {
  load: 'Failed to load universities. Please try again.',
  add: 'Failed to add university. Please try again.',
  update: 'Failed to update university. Please try again.',
  delete: 'Failed to delete university. Please try again.',
} as const

/** Whether the server's message explains what is wrong with the name. */
export const isAboutTheName = (code: string | undefined) => code === 'conflict' || code === 'invalid'

export const requestAdd = (name: string) => call(addUniversity, { body: { name } })
export const requestRename = ({ _id }: University, name: string) =>
  call(renameUniversity, { params: { id: _id }, body: { name } })
export const requestRemove = ({ _id }: University) => call(removeUniversity, { params: { id: _id } })

/** The red banner. `retry` is set for a failed load. `close` is absent if there is nothing else to show. */
type LoadOrSaveError = { readonly text: string; readonly retry?: () => void; readonly close?: () => void }

/** The list of universities and its changes. Each change reloads the list. */
export const useUniversities = () => {
  const { state, reload } = useRequestQuery({
    key: ['universities'],
    request: (signal) => call(listUniversities, { signal }),
  })
  const [failure, setFailure] = useState<string | null>(null)

  const load = async (): Promise<void> => {
    setFailure(null)
    const listed = await reload()
    // The displayed list stays, but may be out of date.
    if (!listed.success && state.kind === 'loaded') setFailure(failures.load)
  }

  /** The data of the answer; undefined after a failure, which the banner shows. */
  const change = async <T>(answer: Promise<Answer<T>>, fallbackText: string): Promise<T | undefined> => {
    setFailure(null)
    const done = await answer
    if (done.success) await load()
    else setFailure(isAboutTheName(done.code) ? done.message : fallbackText)
    return done.success ? done.data : undefined
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
    load,
    fail: setFailure,
    add: async (name: string) => (await change(requestAdd(name), failures.add))?.data,
    rename: async (university: University, name: string) =>
      (await change(requestRename(university, name), failures.update)) !== undefined,
    remove: async (university: University) => (await change(requestRemove(university), failures.delete)) !== undefined,
  }
}
export type Universities = ReturnType<typeof useUniversities>
