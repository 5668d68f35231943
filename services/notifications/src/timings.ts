/** How long things take by design. Shorter in tests. */
export type NotificationTimings = {
  /** How long an open tab has to say that it has shown a notification, before it is pushed. */
  readonly graceMs: number
  /** How long reports of tabs are gathered before they are recorded together. */
  readonly gatherSeenMs: number
  /** How long the answer to a send waits for open devices. */
  readonly receiptTimeoutMs: number
  /** Between attempts when the push provider does not answer. */
  readonly pushRetryPausesMs: readonly number[]
  /** How long the dashboard's sums are kept before they are added up again. */
  readonly activityHeldMs: number
}

export const defaultTimings: NotificationTimings = {
  graceMs: 4_000,
  gatherSeenMs: 40,
  receiptTimeoutMs: 1_500,
  pushRetryPausesMs: [1_000, 5_000],
  activityHeldMs: 2_000,
}
