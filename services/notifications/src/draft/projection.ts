import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { draftKindSchema } from '@portal/contracts/notifications/draft-kind'
import { draftProjectionRef } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type DraftId, draftIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { Projection, ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, ReadStore, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { type NotificationsEventOf, notificationsEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'

const maxAgeMs = limits.draftDays * 24 * 60 * 60_000
/** Expired drafts may be beside those that count. */
const maxListed = 2 * limits.draftsPerAdmin

/** Members are draft ids, scores are in the order of the last change, values are ListedDraft. */
const draftList = (userId: UserId): string => `drafts:${userId}`

const draftKey = (userId: UserId, draftId: DraftId) => ({ collection: 'draft', key: `${userId}:${draftId}` })

export const draftRef = (userId: UserId, draftId: DraftId): DocumentRef => ({
  partition: bucketKey(userId),
  ...draftKey(userId, draftId),
})

const listedSchema = z.object({
  kind: draftKindSchema,
  summary: encryptedTextSchema,
  savedAt: z.string(),
  version: z.number().int(),
})
export type ListedDraft = z.infer<typeof listedSchema> & { readonly draftId: DraftId }

export const storedDraftSchema = listedSchema.extend({ content: encryptedTextSchema })

/** Also of former saves, as of events: the clock of the process may have been set back. */
export const isExpired = (savedAt: string, nowMs: number): boolean => Date.parse(savedAt) < nowMs - maxAgeMs

/** The drafts of a user, the last changed first, and the score of the last change. */
export const readDrafts = async (
  readModel: Pick<ReadStore, 'range'>,
  userId: UserId,
): Promise<{ readonly drafts: readonly ListedDraft[]; readonly lastScore: number }> => {
  const range = { order: 'descending', limit: maxListed } as const
  const entries = await readModel.range(bucketKey(userId), draftList(userId), range)
  const drafts = entries.map(({ member, value }) => ({
    draftId: draftIdSchema.parse(member),
    ...listedSchema.parse(value),
  }))
  return { drafts, lastScore: entries[0]?.score ?? 0 }
}

const removed = (userId: UserId, draftId: DraftId): readonly Write[] => [
  { op: 'remove', list: draftList(userId), member: draftId },
  { op: 'delete', ...draftKey(userId, draftId) },
]

/**
 * Removes expired drafts of the user, too, so that no timer has to. Of several that are begun at the same moment, those that find no room
 * are not listed: all changes of a user's drafts are in one order only here.
 */
const applySaved = async (
  { userId, draftId, content, ...listed }: NotificationsEventOf<'DraftSaved'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const { drafts, lastScore } = await readDrafts(view, userId)
  const savedAtMs = Date.parse(listed.savedAt)
  const others = drafts.filter((other) => other.draftId !== draftId)
  const expired = others.filter((other) => isExpired(other.savedAt, savedAtMs))
  const removals = expired.flatMap((other) => removed(userId, other.draftId))
  const isListed = others.length < drafts.length
  if (!isListed && others.length - expired.length >= limits.draftsPerAdmin) return removals
  return [
    ...removals,
    { op: 'add', list: draftList(userId), member: draftId, score: lastScore + 1, value: listed },
    put(draftRef(userId, draftId), { ...listed, content }),
  ]
}

/** Unfinished forms, still encrypted. */
export const draftProjection: Projection = {
  ...draftProjectionRef,
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type === 'DraftSaved' || type === 'DraftDiscarded' ? key : undefined),
  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    if (event.type === 'DraftDiscarded') return removed(event.data.userId, event.data.draftId)
    return event.type === 'DraftSaved' ? applySaved(event.data, view) : []
  },
}
