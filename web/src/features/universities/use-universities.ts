import { universityNameTaken } from '@portal/contracts/catalog/errors'
import {
  addUniversity,
  listUniversities,
  removeUniversity,
  renameUniversity,
  type University,
} from '@portal/contracts/catalog/http'
import { useState } from 'react'
import { call, type Answer, type Failure } from '../../lib/http.ts'
import { useRequestQuery } from '../../lib/query.ts'

export const failures = {
  load: 'Failed to load universities. Please try again.',
  add: 'Failed to add university. Please try again.',
  update: 'Failed to update university. Please try again.',
  delete: 'Failed to delete university. Please try again.',
} as const

/** Whether the server's message says why it rejected the request. */
export const isRejected = (code: string | undefined): boolean => code === 'conflict' || code === 'invalid'

/** Whether the message belongs to the field of the name. */
const isAboutTheName = ({ code, message }: Failure) => code === 'invalid' || message === universityNameTaken.message

/** The university that was saved; otherwise the message for its field, unless the banner shows the failure. */
export type SavedName =
  | { readonly university: University; readonly nameError?: undefined }
  | { readonly university?: undefined; readonly nameError?: string }

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

  const showFailure = ({ code, message }: Failure, fallbackText: string) =>
    setFailure(isRejected(code) ? message : fallbackText)

  const saveName = async (
    answer: Promise<Answer<{ readonly data: University }>>,
    fallbackText: string,
  ): Promise<SavedName> => {
    setFailure(null)
    const done = await answer
    if (done.success) {
      await load()
      return { university: done.data.data }
    }
    if (isAboutTheName(done)) return { nameError: done.message }
    showFailure(done, fallbackText)
    return {}
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
    add: (name: string) => saveName(requestAdd(name), failures.add),
    rename: (university: University, name: string) => saveName(requestRename(university, name), failures.update),
    remove: async (university: University): Promise<boolean> => {
      setFailure(null)
      const done = await requestRemove(university)
      if (done.success) await load()
      else showFailure(done, failures.delete)
      return done.success
    },
  }
}
export type Universities = ReturnType<typeof useUniversities>
