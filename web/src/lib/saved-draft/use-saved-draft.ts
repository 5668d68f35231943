import { useEffect, useEffectEvent, useRef, useState } from 'react'
import {
  createDraftSaver,
  type DraftSaver,
  type SavedDraftContent,
  type SavedForm,
  type SavedState,
} from './draft-saver.ts'

/** Saves a form on the server while it is typed, and shows what another device has saved. Nothing without an owner. */
export const useSavedDraft = (form: Omit<SavedForm, 'owner'> & { readonly owner: SavedForm['owner'] | undefined }) => {
  const [state, setState] = useState<SavedState>({ kind: 'none' })
  const saver = useRef<DraftSaver>(undefined)
  const name = useEffectEvent(form.name)
  const read = useEffectEvent(form.read)
  const show = useEffectEvent(form.show)
  const isEmpty = useEffectEvent(form.isEmpty)
  const { owner, kind, about } = form

  useEffect(() => {
    if (!owner) return undefined
    const ownForm = { owner, kind, about, name: () => name(), read: () => read(), isEmpty: () => isEmpty() }
    const created = createDraftSaver({ ...ownForm, show: (content) => show(content) }, setState)
    saver.current = created
    created.start()
    const flush = () => created.flush()
    const resume = () => created.start()
    window.addEventListener('pagehide', flush)
    window.addEventListener('blur', flush)
    document.addEventListener('visibilitychange', flush)
    window.addEventListener('online', resume)
    return () => {
      window.removeEventListener('pagehide', flush)
      window.removeEventListener('blur', flush)
      document.removeEventListener('visibilitychange', flush)
      window.removeEventListener('online', resume)
      created.stop()
    }
  }, [owner, kind, about])

  return {
    state,
    name: form.name,
    changed: () => saver.current?.changed(),
    flush: () => saver.current?.flush(),
    switched: (how?: { readonly isNew: boolean }) => saver.current?.switched(how),
    adopt: (draft: SavedDraftContent) => saver.current?.adopt(draft),
    useTheirs: () => saver.current?.useTheirs(),
    keepOwn: () => saver.current?.keepOwn(),
  }
}
export type SavedDraft = ReturnType<typeof useSavedDraft>
