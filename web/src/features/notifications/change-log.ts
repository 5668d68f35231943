import type { InboxChange } from '@portal/contracts/notifications/socket'

/**
 * The latest changes of this inbox, without gaps. A fetched page may be older than changes that arrived during the request; the
 * log brings it up to date.
 */
export type ChangeLog = {
  /** The epoch of the sequence numbers. */
  readonly epoch: string
  /** The log contains every change after this sequence number. */
  readonly since: number
  readonly changes: readonly InboxChange[]
}

const maxLoggedChanges = 200

export const emptyLog = ({ epoch, seq }: { readonly epoch: string; readonly seq: number }): ChangeLog => ({
  epoch,
  since: seq,
  changes: [],
})

export const appendChanges = (log: ChangeLog, changes: readonly InboxChange[]): ChangeLog => {
  const all = [...log.changes, ...changes]
  const dropped = all.slice(0, Math.max(0, all.length - maxLoggedChanges))
  return { epoch: log.epoch, since: dropped.at(-1)?.seq ?? log.since, changes: all.slice(dropped.length) }
}

/** The changes after `seq`, or null if the log does not reach back that far. */
export const changesSince = (log: ChangeLog, seq: number): readonly InboxChange[] | null =>
  seq < log.since ? null : log.changes.filter((change) => change.seq > seq)
