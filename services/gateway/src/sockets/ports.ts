import type { CampaignProgress } from '@portal/contracts/notifications/notification'
import type { InboxResumed } from '@portal/contracts/notifications/socket'
import type { Topic } from '@portal/contracts/shared/event-envelope'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { Cursors } from '@portal/platform/bus/port'

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

/** Resolves true once a projection has applied everything of a partition up to `position`, false after the time. */
export type Applied = (partition: string, position: string, timeoutMs: number) => Promise<boolean>

/** The progress of the projection that inboxes are read from, along the topics that it consumes. */
export type InboxProgress = {
  readonly topics: readonly Topic[]
  /** Where it resumes: a low-water mark, saved about once a second. */
  cursors(): Promise<Cursors>
  /** The last position applied in each bucket. */
  positions(): Promise<Readonly<Record<string, string>>>
}

/** How far the projections are that clients fetch from. Partitions are the keys of the messages on the bus. */
export type Progress = {
  readonly inboxApplied: Applied
  readonly inboxProgress: InboxProgress
  readonly programsApplied: Applied
  readonly enrollmentsApplied: Applied
}

export type CampaignProgressReader = {
  /** In the order asked; undefined for a send that is not known. */
  progressOf(notificationIds: readonly NotificationId[]): Promise<readonly (CampaignProgress | undefined)[]>
}

/** Receives 'this learner has seen everything up to seq', so that nobody is pushed what they have on the screen. */
export type SeenSink = (userId: UserId, seq: number, epoch: string) => void
