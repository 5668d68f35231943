import type { Config } from '@portal/platform/settings/config'
import type { RetryBackoff } from './delivery/deferrals.ts'

/** How long things take by design. Shorter in tests. */
export type NotificationTimings = {
  /** How long an open tab has to say that it has shown a notification, before it is pushed. */
  readonly graceMs: number
  /** How long reports of tabs are gathered before they are recorded together. */
  readonly gatherSeenMs: number
  /** How long the answer to a send waits for open devices. */
  readonly receiptTimeoutMs: number
  /** Before a push is tried again that the provider did not take over: the first pause, which doubles, and the longest. */
  readonly pushRetryBackoff: RetryBackoff
  /** For how long it is tried again. */
  readonly pushRetryForMs: number
  /** A send that is older is not pushed any more. */
  readonly pushMaxAgeMs: number
  /** How long the dashboard's sums are kept before they are added up again. */
  readonly activityCacheMs: number
}

export const defaultTimings: NotificationTimings = {
  graceMs: 4_000,
  gatherSeenMs: 40,
  receiptTimeoutMs: 1_500,
  pushRetryBackoff: { firstMs: 1_000, maxMs: 300_000 },
  pushRetryForMs: 3_600_000,
  pushMaxAgeMs: 86_400_000,
  activityCacheMs: 2_000,
}

/** With what the settings say. */
export const timingsOf = ({ seenGraceMs, sendWaitMs, pushMaxAgeMs }: Config): NotificationTimings => ({
  ...defaultTimings,
  graceMs: seenGraceMs,
  receiptTimeoutMs: sendWaitMs,
  pushMaxAgeMs,
})
