import { type DraftId, draftIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { discardDraft } from '@portal/contracts/notifications/drafts'
import { z } from 'zod'
import { draftKey, readDraft, removeDraft, writeDraft } from '../drafts.ts'
import { call } from '../http.ts'
import { randomHex } from '../random-hex.ts'

/* Which draft of the server a draft on this device is, and what the server has of it. */

const linkSchema = z.object({
  id: draftIdSchema,
  /** 0 if the server has not confirmed it. */
  version: z.number().int(),
  /** Of the content at that version. */
  fingerprint: z.string(),
  /** Of contents that were sent without an answer. */
  unanswered: z.array(z.string()),
})
export type DraftLink = z.output<typeof linkSchema>

const linkKey = (owner: UserId, name: string) => draftKey(owner, `saved:${name}`)

export const readLink = (owner: UserId, name: string): DraftLink | undefined =>
  readDraft(linkKey(owner, name), linkSchema)
export const writeLink = (owner: UserId, name: string, link: DraftLink): void => writeDraft(linkKey(owner, name), link)
export const removeLink = (owner: UserId, name: string): void => removeDraft(linkKey(owner, name))

/** A UUID, version 4. crypto.randomUUID exists on https and localhost only. */
export const newDraftId = (): DraftId => {
  const hex = randomHex(16)
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
  const text = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
  return draftIdSchema.parse(text)
}

const discardedSchema = z.array(z.object({ id: draftIdSchema, version: z.number().int().optional() }))
type Discarded = z.output<typeof discardedSchema>

const discardedKey = (owner: UserId) => draftKey(owner, 'discarded')
const readDiscarded = (owner: UserId): Discarded => readDraft(discardedKey(owner), discardedSchema) ?? []
const writeDiscarded = (owner: UserId, discarded: Discarded): void => {
  if (discarded.length > 0) writeDraft(discardedKey(owner), discarded)
  else removeDraft(discardedKey(owner))
}

/** Discards on the server what was discarded on this device. What is not answered is asked again later. */
export const flushDiscarded = async (owner: UserId): Promise<void> => {
  for (const { id, version } of readDiscarded(owner)) {
    const query = version === undefined ? {} : { version }
    const answer = await call(discardDraft, { params: { id }, query, outlivesPage: true })
    // One that was changed elsewhere stays.
    if (answer.success || answer.code === 'conflict')
      writeDiscarded(
        owner,
        readDiscarded(owner).filter((some) => some.id !== id),
      )
  }
}

/** Discards a draft of the server: in any version, or only in the one that is known here. */
export const discardSaved = (owner: UserId, { id, version }: { id: DraftId; version?: number | undefined }): void => {
  writeDiscarded(owner, [...readDiscarded(owner).filter((some) => some.id !== id), { id, version }])
  void flushDiscarded(owner)
}

/** As `discardSaved`, for the draft under a name on this device, if it has one. */
export const discardLinked = (owner: UserId, name: string, { isSent = false } = {}): void => {
  const link = readLink(owner, name)
  removeLink(owner, name)
  if (link) discardSaved(owner, isSent || link.version === 0 ? { id: link.id } : link)
}
