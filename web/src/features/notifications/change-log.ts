import type { InboxChange } from '@portal/contracts/notifications/socket'

/**
 * The latest changes of this inbox, without gaps. A page that was fetched while changes came in is brought up to date from here:
 * its answer may have been on its way since before them.
 */
export type ChangeLog = {
  /** The numbering of the changes. */
  readonly epoch: string
  /** Every change behind this sequence number is in the log. */
  readonly since: number
  readonly changes: readonly InboxChange[]
}

const kept = 200

export const emptyLog = ({ epoch, seq }: { readonly epoch: string; readonly seq: number }): ChangeLog => ({
  epoch,
  since: seq,
  changes: [],
})

export const appendChanges = (log: ChangeLog, changes: readonly InboxChange[]): ChangeLog => {
  const all = [...log.changes, ...changes]
  const dropped = all.slice(0, Math.max(0, all.length - kept))
  return { epoch: log.epoch, since: dropped.at(-1)?.seq ?? log.since, changes: all.slice(dropped.length) }
}

/** The changes behind `seq`, or null where the log does not reach back that far. */
export const changesSince = (log: ChangeLog, seq: number): readonly InboxChange[] | null =>
  seq < log.since ? null : log.changes.filter((change) => change.seq > seq)
