import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { InboxResumed } from '@portal/contracts/notifications/socket'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

/** The version of one inbox. `seq` compares only within an `epoch`. */
export type InboxVersion = { readonly epoch: string; readonly seq: number }
export type InboxState = InboxVersion & { readonly unread: number }

/** Port to the notifications context. The hosting process provides it, because services do not import each other. */
export type InboxReader = {
  head(userId: UserId): Promise<InboxState>
  /** All changes after `since`, in order. A reset if there are too many or `since` is of another epoch. */
  changesSince(userId: UserId, since: number, epoch?: string): Promise<InboxResumed>
  /** The current epoch of the inboxes. */
  epoch(): string
  /** Calls the listener after each epoch change. Returns a function that unsubscribes. */
  onEpochChange(listener: () => void): () => void
}

export type CampaignProgressReader = {
  /** Returns the progress in the given order; undefined for an unknown campaign. */
  progressOf(notificationIds: readonly NotificationId[]): Promise<readonly (CampaignProgress | undefined)[]>
}

/** Receives what a learner has seen, so that delivery sends no push for it. */
export type SeenSink = (userId: UserId, seq: number, epoch: string) => void
