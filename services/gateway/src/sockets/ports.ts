import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import type { InboxResumed } from '@portal/contracts/notifications/socket'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

/** Where an inbox stands. */
export type InboxPosition = { readonly seq: number; readonly unread: number }

/**
 * What the sockets need of the notifications context. The process that hosts both hands it over; a service never imports
 * another.
 */
export type InboxReader = {
  head(userId: UserId): Promise<InboxPosition>
  /** All changes after `since`, in order, or 'too many'. */
  changesSince(userId: UserId, since: number): Promise<InboxResumed>
}

/** Resolves true once a projection has applied everything of a partition up to `position`, false after the time. */
export type Applied = (partition: string, position: string, timeoutMs: number) => Promise<boolean>

/** How far the projections are that clients fetch from. Partitions are the keys of the messages on the bus. */
export type Progress = {
  readonly inboxApplied: Applied
  readonly programsApplied: Applied
  readonly enrollmentsApplied: Applied
}

export type CampaignProgressReader = {
  /** In the order asked; undefined for a send that is not known. */
  progressOf(notificationIds: readonly NotificationId[]): Promise<readonly (CampaignProgress | undefined)[]>
}

/** Where 'this learner has seen everything up to seq' goes, so that nobody is pushed what they have on the screen. */
export type SeenSink = (userId: UserId, seq: number) => void
