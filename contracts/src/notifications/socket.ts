import { z } from 'zod'
import type { CatalogChanged, EnrollmentChanged, EnrollmentEnded, LearnersChanged } from '../catalog/socket.ts'
import { type DraftId, notificationIdSchema, type NotificationId, type TemplateId, type UserId } from '../shared/ids.ts'
import { clientEpochSchema, epochSchema, inboxItemSchema } from './notification.ts'
import { campaignProgressSchema } from './sent-item.ts'

/** One change of one inbox. `seq` is the inbox's sequence number after it. */
const inboxChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('arrived'), seq: z.number().int(), notification: inboxItemSchema }),
  z.object({
    kind: z.literal('read'),
    seq: z.number().int(),
    notificationId: notificationIdSchema,
    readAt: z.iso.datetime(),
  }),
  /** Marks every item with `seq` at most `readUpTo` as read. */
  z.object({
    kind: z.literal('all-read'),
    seq: z.number().int(),
    readUpTo: z.number().int(),
    readAt: z.iso.datetime(),
  }),
  /**
   * An admin withdrew the notification. It counts as read and has no text any more. Only sockets that declared the
   * feature 'recalled' get this change; for others the server sends a message without changes, and a resume resets.
   */
  z.object({
    kind: z.literal('recalled'),
    seq: z.number().int(),
    notificationId: notificationIdSchema,
    withdrawnAt: z.iso.datetime(),
  }),
  /** The user marked the notification as unread. Only sockets that declared the feature 'unread' get this change. */
  z.object({ kind: z.literal('unread'), seq: z.number().int(), notificationId: notificationIdSchema }),
])
export type InboxChange = z.infer<typeof inboxChangeSchema>

/**
 * Sent to a learner's sockets. `seq` and `unread` are the server's values after `changes`. `changes` are in order,
 * end at `seq` and continue from the previous message's `seq`. A client that detects a gap sends `inbox:resume`.
 *
 * A message without changes carries only the inbox state: after each connect, and instead of too many changes. A
 * client that knows an older `seq` sends `inbox:resume`. A client ignores changes up to its own `seq`: a resume or
 * a page can be ahead of the messages.
 *
 * `seq` compares only within an `epoch`. A message of another epoch resets the client: it adopts `seq` and
 * `unread`, even if they are lower, and refetches its pages.
 */
export const inboxChangedSchema = z.object({
  epoch: epochSchema,
  seq: z.number().int(),
  unread: z.number().int(),
  changes: z.array(inboxChangeSchema),
})
export type InboxChanged = z.infer<typeof inboxChangedSchema>

/** Change kinds that a client declares in `auth.features` of the handshake, because older clients reject them. */
export const socketFeatures = ['recalled', 'unread'] as const
export type SocketFeature = (typeof socketFeatures)[number]

/**
 * Why the server rejects a connection: the `message` of the client's `connect_error`. Socket.IO does not try again by
 * itself after it. 'unauthenticated' means that the session has ended. The other reasons are temporary.
 */
export type SocketRejection = 'unauthenticated' | 'too-many-connections' | 'unavailable'

export const inboxResumeSchema = z.object({
  epoch: clientEpochSchema,
  since: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type InboxResume = z.infer<typeof inboxResumeSchema>

/**
 * The response to `inbox:resume`: all changes after `since`, or a reset if there are too many or the epoch changed.
 * It covers every `inbox:changed` sent before it, so a client ignores messages while it waits.
 */
export const inboxResumedSchema = z.union([
  z.object({ reset: z.literal(true), epoch: epochSchema, seq: z.number().int(), unread: z.number().int() }),
  inboxChangedSchema,
])
export type InboxResumed = z.infer<typeof inboxResumedSchema>

/**
 * Sent by a visible tab that has shown everything up to `seq`. The server caps it at the inbox's own `seq` and
 * ignores another epoch.
 */
export const inboxSeenSchema = z.object({
  epoch: clientEpochSchema,
  seq: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})
export type InboxSeen = z.infer<typeof inboxSeenSchema>

/** Sent by a tab when its visibility changes. Until then a tab counts as visible. */
export const tabVisibilitySchema = z.object({ visible: z.boolean() })

/**
 * Sent to the sockets of an admin whose confirmed send is held, was sent or was taken back. They read
 * GET /notifications/held then.
 */
export type HeldChanged = {
  readonly notificationId: NotificationId
  readonly state: 'held' | 'sent' | 'taken-back'
}

/** Sent to the sockets of admins when scheduled sends have changed. They read GET /notifications/scheduled then. */
export type ScheduledChanged = { readonly notificationId: NotificationId }

/** Sent to the sockets of an admin whose draft was saved or discarded. They read GET /notifications/drafts then. */
export type DraftsChanged = { readonly draftId: DraftId }

/** Sent to the sockets of admins when a template has changed or was used. They read GET /notifications/templates then. */
export type TemplatesChanged = { readonly templateId: TemplateId }

/**
 * Sent to the sockets of a user whose profile has changed, once it applies to the texts of their inbox: the language, and what fills
 * the placeholders. They fetch their page again.
 */
export type ProfileChanged = { readonly userId: UserId }

export const sessionEndedSchema = z.object({ reason: z.string() })
type SessionEnded = z.infer<typeof sessionEndedSchema>

/** Number of changes above which the response is a reset. */
export const resumeLimit = 100

export const socketEvents = {
  inboxChanged: 'inbox:changed',
  inboxResume: 'inbox:resume',
  inboxSeen: 'inbox:seen',
  tabVisibility: 'tab:visibility',
  campaignProgress: 'campaign:progress',
  heldChanged: 'held:changed',
  scheduledChanged: 'scheduled:changed',
  draftsChanged: 'drafts:changed',
  templatesChanged: 'templates:changed',
  profileChanged: 'profile:changed',
  sessionEnded: 'session:ended',
} as const

/** Types for `new Server<ClientToServer, ServerToClient>` and the client's `Socket<ServerToClient, ClientToServer>`. */
export type ServerToClient = {
  'inbox:changed': (message: InboxChanged) => void
  'campaign:progress': (message: z.infer<typeof campaignProgressSchema>) => void
  'held:changed': (message: HeldChanged) => void
  'scheduled:changed': (message: ScheduledChanged) => void
  'drafts:changed': (message: DraftsChanged) => void
  'templates:changed': (message: TemplatesChanged) => void
  'profile:changed': (message: ProfileChanged) => void
  'session:ended': (message: SessionEnded) => void
  'catalog:changed': (message: CatalogChanged) => void
  'enrollment:changed': (message: EnrollmentChanged) => void
  'enrollment:ended': (message: EnrollmentEnded) => void
  'learners:changed': (message: LearnersChanged) => void
}
export type ClientToServer = {
  'inbox:resume': (message: InboxResume, acknowledge: (answer: InboxResumed) => void) => void
  'inbox:seen': (message: InboxSeen) => void
  'tab:visibility': (message: z.infer<typeof tabVisibilitySchema>) => void
}
