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

/** Resolves true once the inbox projection has applied everything of a bucket up to `position`. */
export type InboxApplied = (bucket: string, position: string, timeoutMs: number) => Promise<boolean>

export type CampaignProgressReader = {
  /** In the order asked; undefined for a send that is not known. */
  progressOf(notificationIds: readonly NotificationId[]): Promise<readonly (CampaignProgress | undefined)[]>
}

/** Where 'this learner has seen everything up to seq' goes, so that nobody is pushed what they have on the screen. */
export type SeenSink = (userId: UserId, seq: number) => void
