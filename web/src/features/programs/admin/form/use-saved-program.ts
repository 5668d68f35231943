import type { UserId } from '@portal/contracts/shared/ids'
import { useEffect, useEffectEvent, useRef } from 'react'
import { z } from 'zod'
import { draftKey, onDraftChange, readDraft, removeDraft, writeDraft } from '../../../../lib/drafts.ts'
import type { KeptContent } from '../../../../lib/saved-draft/draft-saver.ts'
import { useSavedDraft } from '../../../../lib/saved-draft/use-saved-draft.ts'
import { useSession } from '../../../../lib/session.ts'

/** What is kept of a program: its information, the tool and the fact being typed, and the rows of both. Pictures are addresses. */
const parts = ['', ':tool', ':fact', ':parts'] as const

const contentSchema = z.partialRecord(z.enum(parts), z.unknown())
const titleSchema = z.object({ programName: z.string() })

const keyOf = (owner: UserId, keptAs: string, part: string) => draftKey(owner, `program:${keptAs}${part}`)

const contentOf = (owner: UserId, keptAs: string): KeptContent | undefined => {
  const kept = parts.flatMap((part) => {
    const value = readDraft(keyOf(owner, keptAs, part), z.unknown())
    return value === undefined ? [] : [[part, value] as const]
  })
  if (kept.length === 0) return undefined
  const content = Object.fromEntries(kept)
  const title = titleSchema.safeParse(content['']).data?.programName ?? ''
  return { title, content: JSON.stringify(content), isWhole: true }
}

const keepContent = (owner: UserId, keptAs: string, content: string | undefined): boolean => {
  const parsed = contentSchema.safeParse(content === undefined ? {} : JSON.parse(content))
  if (!parsed.success) return false
  for (const part of parts) {
    const key = keyOf(owner, keptAs, part)
    if (parsed.data[part] === undefined) removeDraft(key)
    else writeDraft(key, parsed.data[part])
  }
  return true
}

/** Saves on the server what the form of a program keeps on this device. `onShown`: the form has to begin anew with it. */
export const useSavedProgram = (keptAs: string, onShown: () => void) => {
  const owner = useSession()?.user._id
  const name = `program:${keptAs}`
  /** What is being typed is kept a moment later. */
  const isTouched = useRef(false)
  useEffect(() => {
    const touch = () => {
      isTouched.current = true
    }
    document.addEventListener('input', touch)
    return () => document.removeEventListener('input', touch)
  }, [])
  const read = () => owner && contentOf(owner, keptAs)
  const saved = useSavedDraft({
    owner,
    kind: 'program',
    about: keptAs,
    name: () => name,
    read,
    show: (content) => {
      const isKept = owner !== undefined && keepContent(owner, keptAs, content)
      if (isKept) onShown()
      return isKept
    },
    isEmpty: () => read() === undefined && !isTouched.current,
  })
  const changed = useEffectEvent((key: string) => {
    if (owner && parts.some((part) => keyOf(owner, keptAs, part) === key)) saved.changed()
  })
  useEffect(() => onDraftChange((key) => changed(key)), [])
  return saved
}
