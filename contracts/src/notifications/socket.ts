import { z } from 'zod'
import type { CatalogChanged, EnrollmentChanged } from '../catalog/socket.ts'
import { notificationIdSchema } from '../shared/ids.ts'
import { campaignProgressSchema, clientEpochSchema, epochSchema, inboxItemSchema } from './notification.ts'

/** One change of one inbox. `seq` is the inbox's sequence number after it. */
const inboxChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('arrived'), seq: z.number().int(), notification: inboxItemSchema }),
  z.object({
    kind: z.literal('read'),
    seq: z.number().int(),
    notificationId: notificationIdSchema,
    readAt: z.iso.datetime(),
  }),
  /** Every item whose own `seq` is at most `readUpTo` is read. */
  z.object({
    kind: z.literal('all-read'),
    seq: z.number().int(),
    readUpTo: z.number().int(),
    readAt: z.iso.datetime(),
  }),
])
export type InboxChange = z.infer<typeof inboxChangeSchema>

/**
 * To a learner's sockets: `seq` and `unread` are the server's, after `changes`. `changes` are in order, end at `seq` and
 * start right behind the last message's `seq`; a client that sees another start asks `inbox:resume`.
 *
 * A message without changes gives the state of the inbox only: the first one after each connect, and one instead of too many
 * changes. A client that knows an older `seq` asks `inbox:resume`. Changes up to the client's own `seq` are
 * repeats (a resume or a page can run ahead of the messages): it passes them over.
 *
 * `seq` compares within an `epoch`. A message of another epoch resets the client: it takes `seq` and `unread` as they are, even if
 * they are lower, and fetches its pages again.
 */
export const inboxChangedSchema = z.object({
  epoch: epochSchema,
  seq: z.number().int(),
  unread: z.number().int(),
  changes: z.array(inboxChangeSchema),
})
export type InboxChanged = z.infer<typeof inboxChangedSchema>

export const inboxResumeSchema = z.object({
  epoch: clientEpochSchema,
  since: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type InboxResume = z.infer<typeof inboxResumeSchema>

/**
 * The answer to `inbox:resume`: all changes after `since`, or 'too many, or another epoch: fetch page 1'. It covers every
 * `inbox:changed` that was sent before it, so a client passes over what comes while it waits.
 */
export const inboxResumedSchema = z.union([
  z.object({ reset: z.literal(true), epoch: epochSchema, seq: z.number().int(), unread: z.number().int() }),
  inboxChangedSchema,
])
export type InboxResumed = z.infer<typeof inboxResumedSchema>

/** From a visible tab: it has shown everything up to `seq`. Believed as far as the inbox goes, and ignored for another epoch. */
export const inboxSeenSchema = z.object({
  epoch: clientEpochSchema,
  seq: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type InboxSeen = z.infer<typeof inboxSeenSchema>

/** From a tab whose visibility changed. A tab that never says so counts as visible. */
export const tabVisibilitySchema = z.object({ visible: z.boolean() })

export const sessionEndedSchema = z.object({ reason: z.string() })
type SessionEnded = z.infer<typeof sessionEndedSchema>

/** More changes than this are answered with 'reset'. */
export const resumeLimit = 100

export const socketEvents = {
  inboxChanged: 'inbox:changed',
  inboxResume: 'inbox:resume',
  inboxSeen: 'inbox:seen',
  tabVisibility: 'tab:visibility',
  campaignProgress: 'campaign:progress',
  sessionEnded: 'session:ended',
} as const

/** For `new Server<ClientToServer, ServerToClient>` and the client's `Socket<ServerToClient, ClientToServer>`. */
export type ServerToClient = {
  'inbox:changed': (message: InboxChanged) => void
  'campaign:progress': (message: z.infer<typeof campaignProgressSchema>) => void
  'session:ended': (message: SessionEnded) => void
  'catalog:changed': (message: CatalogChanged) => void
  'enrollment:changed': (message: EnrollmentChanged) => void
}
export type ClientToServer = {
  'inbox:resume': (message: InboxResume, acknowledge: (answer: InboxResumed) => void) => void
  'inbox:seen': (message: InboxSeen) => void
  'tab:visibility': (message: z.infer<typeof tabVisibilitySchema>) => void
}
