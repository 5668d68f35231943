import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import type { InboxResumed } from '@portal/contracts/notifications/socket'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

/** A state of one inbox: `seq` numbers its changes, and compares within an `epoch` only. */
export type InboxVersion = { readonly epoch: string; readonly seq: number }
export type InboxState = InboxVersion & { readonly unread: number }

/**
 * What the sockets need of the notifications context. The process that hosts both hands it over; a service never imports
 * another.
 */
export type InboxReader = {
  head(userId: UserId): Promise<InboxState>
  /** All changes after `since`, in order, or 'reset': too many, or `since` is of another epoch. */
  changesSince(userId: UserId, since: number, epoch?: string): Promise<InboxResumed>
  /** The epoch in which inboxes are numbered at the moment. */
  epoch(): string
  /** Calls back after each change of the epoch, until the returned function is called. */
  onEpochChange(listener: () => void): () => void
}

export type CampaignProgressReader = {
  /** In the order asked; undefined for a send that is not known. */
  progressOf(notificationIds: readonly NotificationId[]): Promise<readonly (CampaignProgress | undefined)[]>
}

/** Receives 'this learner has seen everything up to seq', so that nobody is pushed what they have on the screen. */
export type SeenSink = (userId: UserId, seq: number, epoch: string) => void
