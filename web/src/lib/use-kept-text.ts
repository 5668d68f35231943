import { useState } from 'react'
import { z } from 'zod'
import { draftKey, readDraft, removeDraft, writeDraft } from './drafts.ts'
import { useSession } from './session.ts'

/** The text of a single field, kept on this device until it is empty. `name` as that of a form (use-kept-form.ts). */
export const useKeptText = (name: string): readonly [string, (text: string) => void] => {
  const owner = useSession()?.user._id
  const [key] = useState(() => owner && draftKey(owner, name))
  const [text, setText] = useState(() => (key && readDraft(key, z.string())) ?? '')
  const keep = (next: string): void => {
    setText(next)
    if (key === undefined) return
    if (next === '') removeDraft(key)
    else writeDraft(key, next)
  }
  return [text, keep]
}
