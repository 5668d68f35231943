import { limits } from '@portal/contracts/shared/rules'
import type { Config } from '@portal/platform/settings/config'
import { recipientsPerAppend } from './campaign/events.ts'

/** Exponential backoff: the first pause, doubled each time, up to the maximum. */
export type RetryBackoff = { readonly firstMs: number; readonly maxMs: number }

/** Delays and limits by design. Shorter in tests. */
export type NotificationTimings = {
  /** How long an open tab has to report a notification as seen before it is pushed. */
  readonly graceMs: number
  /** How long seen reports are collected before they are recorded. */
  readonly gatherSeenMs: number
  /** How long the response to a send waits for open devices. */
  readonly seenTimeoutMs: number
  /** How long a confirmed send can be taken back. */
  readonly holdMs: number
  /** How long the response to a cancel waits until nothing is pending. */
  readonly cancelTimeoutMs: number
  /** How long the response to a recall waits until it has gone from all inboxes. */
  readonly recallTimeoutMs: number
  /** Backoff for pushes that the provider did not accept. */
  readonly pushRetryBackoff: RetryBackoff
  /** How long such pushes are retried. */
  readonly pushRetryForMs: number
  /** Older campaigns are not pushed. */
  readonly pushMaxAgeMs: number
  /** How long a notification stays unread before an e-mail tells its recipient of it. */
  readonly emailUnseenAfterMs: number
  /** How long the dashboard's totals are cached. */
  readonly activityCacheMs: number
  /** Campaigns to more recipients are planned, then distributed. A resend to more is recorded in parts. */
  readonly maxRecipientsPerAppend: number
  /** How many notifications a user's download of their data has. */
  readonly maxOwnNotifications: number
}

export const defaultTimings: NotificationTimings = {
  graceMs: 4_000,
  gatherSeenMs: 40,
  seenTimeoutMs: 1_500,
  holdMs: limits.sendHoldMs,
  cancelTimeoutMs: 4_000,
  recallTimeoutMs: 5_000,
  pushRetryBackoff: { firstMs: 1_000, maxMs: 300_000 },
  pushRetryForMs: 3_600_000,
  pushMaxAgeMs: 86_400_000,
  emailUnseenAfterMs: 86_400_000,
  activityCacheMs: 2_000,
  maxRecipientsPerAppend: recipientsPerAppend,
  maxOwnNotifications: 10_000,
}

/** Applies the configured values. */
export const timingsOf = ({
  seenGraceMs,
  sendWaitMs,
  pushMaxAgeMs,
  emailUnseenAfterMs,
}: Config): NotificationTimings => ({
  ...defaultTimings,
  graceMs: seenGraceMs,
  seenTimeoutMs: sendWaitMs,
  pushMaxAgeMs,
  emailUnseenAfterMs,
})
