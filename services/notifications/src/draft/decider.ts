import type { EncryptedText } from '@portal/contracts/auth/events'
import type { DraftKind } from '@portal/contracts/notifications/draft-kind'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { DraftId, UserId } from '@portal/contracts/shared/ids'
import type { Publisher } from '@portal/platform/bus/publisher'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { notificationsMessage } from '../bus-messages.ts'
import { type DraftEvent, draftEventSchema } from './events.ts'

type OfDraft = { readonly draftId: DraftId; readonly userId: UserId }

export type DraftCommand = OfDraft &
  (
    | {
        readonly type: 'SaveDraft'
        readonly kind: DraftKind
        readonly summary: EncryptedText
        readonly content: EncryptedText
        readonly savedAt: string
        /** The version that was changed; 0 for a new draft. */
        readonly version: number
        /** The user keeps as many drafts as allowed. */
        readonly isFull: boolean
      }
    | {
        readonly type: 'DiscardDraft'
        /** Undefined discards any. */
        readonly version?: number | undefined
      }
  )

/** `version` is the number of events, so a client's version names a revision of the stream. */
export type DraftState = { readonly version: number; readonly isKept: boolean }

export type DraftRejection = 'changed' | 'too-many'

/** One draft of one user. The id comes from a client, so the stream is named after both. */
export const draftStreamId = ({ userId, draftId }: OfDraft): string => `${userId}-${draftId}`

export const draftDecider: Decider<DraftState, DraftCommand, DraftEvent, DraftRejection> = {
  category: 'draft',
  initial: { version: 0, isKept: false },

  decide(command, { version, isKept }) {
    const { draftId, userId } = command
    const isBehind = command.version !== undefined && command.version !== version
    if (command.type === 'DiscardDraft') {
      if (!isKept) return ok([])
      return isBehind ? rejected('changed') : ok([{ type: 'DraftDiscarded', data: { draftId, userId } }])
    }
    if (isBehind) return rejected('changed')
    if (!isKept && command.isFull) return rejected('too-many')
    const { kind, summary, content, savedAt } = command
    return ok([{ type: 'DraftSaved', data: { draftId, userId, kind, summary, content, savedAt } }])
  },

  evolve: ({ version }, { type }) => ({ version: version + 1, isKept: type === 'DraftSaved' }),

  parse: storedEventReader(draftEventSchema),
}

export const draftPublisher: Publisher = {
  category: draftDecider.category,
  topics: ['notifications'],
  publish: (recorded) => {
    const event = draftDecider.parse(recorded)
    const key = bucketKey(event.data.userId)
    if (event.type === 'DraftDiscarded') return [notificationsMessage(key, event)]
    const data = { ...event.data, version: recorded.revision + 1 }
    return [notificationsMessage(key, { type: event.type, data })]
  },
}
