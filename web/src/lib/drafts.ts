import type { UserId } from '@portal/contracts/shared/ids'
import { z } from 'zod'
import { sessionState } from './session.ts'
import { isPersonalDraft, readStored, removeStored, storedDraftKeys, writeStored, type DraftKey } from './storage.ts'

/*
 * What is typed and not sent. It stays on this device until it is sent or discarded: over a reload, a crash and the end of
 * the session. Only its author gets it back. A log-out removes drafts with personal data, because the next person at this
 * device may be another one.
 */

const maxAgeMs = 30 * 24 * 60 * 60 * 1_000
/** The most drafts that a device keeps. The oldest are removed. */
const maxDrafts = 30
const maxChars = 1_000_000

const isLoggedOut = (): boolean => {
  const state = sessionState()
  return state.kind === 'anonymous' && state.reason === 'logged-out'
}

const draftSchema = z.object({ at: z.number(), value: z.unknown() })

/** The key of a form's draft: 'send', 'profile', 'program:new', … */
export const draftKey = (owner: UserId, form: string, { isPersonal = false } = {}): DraftKey =>
  `draft:${owner}:${isPersonal ? 'personal:' : ''}${form}`

const open = (key: DraftKey) => {
  const text = readStored(key)
  if (text === null) return undefined
  try {
    const draft = draftSchema.parse(JSON.parse(text))
    if (Date.now() - draft.at <= maxAgeMs) return draft
  } catch (error) {
    console.warn('a stored draft is invalid, removing it', error)
  }
  removeStored(key)
  return undefined
}

/** Undefined if there is none, it is too old, or an earlier release stored another shape. */
export const readDraft = <Value>(key: DraftKey, schema: z.ZodType<Value>): Value | undefined => {
  const parsed = schema.safeParse(open(key)?.value)
  return parsed.success ? parsed.data : undefined
}

/** The drafts of one form, of which each tab may keep its own, as `send` and `send#7f3a`. The newest first. */
export const draftsOf = (owner: UserId, form: string): readonly string[] => {
  const prefix = draftKey(owner, '')
  const found = storedDraftKeys().flatMap((key) => {
    const name = key.startsWith(prefix) ? key.slice(prefix.length) : ''
    const draft = name === form || name.startsWith(`${form}#`) ? open(key) : undefined
    return draft ? [{ name, at: draft.at }] : []
  })
  return found.toSorted((a, b) => b.at - a.at).map(({ name }) => name)
}

const listeners = new Set<(key: DraftKey) => void>()

/** Reports the drafts that this tab writes and removes. Returns how to stop. */
export const onDraftChange = (listener: (key: DraftKey) => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
const report = (key: DraftKey): void => listeners.forEach((listener) => listener(key))

export const removeDraft = (key: DraftKey): void => {
  removeStored(key)
  report(key)
}

const removeSurplus = (): void => {
  const known = storedDraftKeys().flatMap((key) => {
    const draft = open(key)
    return draft ? [{ key, at: draft.at }] : []
  })
  const newestFirst = known.toSorted((a, b) => b.at - a.at)
  for (const { key } of newestFirst.slice(maxDrafts - 1)) removeStored(key)
}

/** `value` survives JSON. A very long one is not kept, nor is what it replaces. */
export const writeDraft = (key: DraftKey, value: unknown): void => {
  const text = JSON.stringify({ at: Date.now(), value })
  if (text.length > maxChars) return removeStored(key)
  // A form that disappears at the log-out would bring it back.
  if (isPersonalDraft(key) && isLoggedOut()) return undefined
  if (readStored(key) === null) removeSurplus()
  writeStored(key, text)
  return report(key)
}
