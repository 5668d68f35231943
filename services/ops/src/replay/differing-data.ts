import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { DifferingRows } from '@portal/platform/generations/differing-rows'
import type { Replayed } from '@portal/platform/generations/replay'

/** Which data of a rejected generation differs from the active one. */
export type DifferingData = {
  readonly documents: number
  readonly entries: number
  /** The ids of the users whose data it is, at most ten. */
  readonly users: readonly string[]
  readonly moreUsers: number
  /** Partitions that differ and whose rows were not read. If there are any, the numbers above are lower bounds. */
  readonly unreadPartitions: number
  /** Ids of which it is not known whether they are users. If there are any, `moreUsers` is a lower bound. */
  readonly uncheckedIds: number
}

const shownUsers = 10
/** Each id costs a read of the log. */
const maxLookups = 10_000

const ids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** As in read-model/row-names.ts. The others are entries of lists. */
const isDocument = (row: string): boolean => row.startsWith('d')

/** Names of rows hold ids of users and of other things. A user has a stream. */
const isUser = async (log: Pick<EventStore, 'read'>, id: string): Promise<boolean> => {
  for await (const _ of log.read(streamOf('user', id))) return true
  return false
}

const describeDifferingData = async (
  log: Pick<EventStore, 'read'>,
  { names, unreadPartitions }: DifferingRows,
  signal: AbortSignal,
): Promise<DifferingData | undefined> => {
  const found = [...new Set(names.flatMap((name) => name.match(ids) ?? []))]
  const users: string[] = []
  for (const id of found.slice(0, maxLookups)) {
    if (signal.aborted) return undefined
    if (await isUser(log, id)) users.push(id)
  }
  const documents = names.filter(isDocument).length
  return {
    documents,
    entries: names.length - documents,
    users: users.slice(0, shownUsers),
    moreUsers: Math.max(0, users.length - shownUsers),
    unreadPartitions,
    uncheckedIds: Math.max(0, found.length - maxLookups),
  }
}

/** The result of a replay with the data that differs in place of its rows. It is absent if it is not known. */
export type ReplayResult = Omit<Replayed, 'differingRows'> & { readonly differing?: DifferingData }

/** Without the data that differs once the signal aborts. */
export const withDifferingData = (
  log: Pick<EventStore, 'read'>,
  results: readonly Replayed[],
  signal: AbortSignal,
): Promise<readonly ReplayResult[]> =>
  Promise.all(
    results.map(async ({ differingRows, ...result }) => {
      const differing = differingRows && (await describeDifferingData(log, differingRows, signal))
      return { ...result, ...(differing && { differing }) }
    }),
  )
