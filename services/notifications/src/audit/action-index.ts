import type { AuditFilter } from '@portal/contracts/notifications/audit'
import { indiaZone } from '@portal/contracts/shared/india-time'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import { shareNextRun } from '../audience/share-next-run.ts'
import { kindOfAction, type RecordedAction, recordedActionOf } from './action.ts'
import { actionList, auditProjection } from './projection.ts'

/** An action with the id of its message, and its number in its partition. */
export type IndexedAction = RecordedAction & { readonly id: string; readonly number: number }

/** Some 500 bytes each. The list does not show older ones. */
export const maxIndexedActions = 200_000
const actionsPerRead = 1_000
/** Attempts if the read model goes back or switches during a refresh. */
const maxReads = 5

type Reads = Pick<ReadStore, 'lineage' | 'range'> & Pick<Checkpoints, 'positions'>

const dayMs = 86_400_000
/** The first moment of a day in India. */
const startOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`) - indiaZone.aheadMs
const startsAt = (atMs: number): string => new Date(atMs).toISOString()

/** Returns the predicate of a filter. ISO times are compared as text. */
export const matchesFilter = ({ who, kind, from, to }: AuditFilter): ((action: RecordedAction) => boolean) => {
  const first = from === undefined ? undefined : startsAt(startOf(from))
  const end = to === undefined ? undefined : startsAt(startOf(to) + dayMs)
  const concerns = ({ by, object }: RecordedAction): boolean =>
    ('userId' in by && by.userId === who) || (object?.kind === 'person' && object.id === who)
  return (action) =>
    (kind === undefined || kindOfAction[action.type] === kind) &&
    (first === undefined || action.at >= first) &&
    (end === undefined || action.at < end) &&
    (who === undefined || concerns(action))
}

/** Newest first. Those of one request have the same time. */
const byTime = (a: IndexedAction, b: IndexedAction): number => {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1
  return b.number - a.number || (a.id < b.id ? 1 : -1)
}

/** Merges two lists, each newest first. New actions are few, and sorting all would take a tenth of a second. */
const merge = (added: readonly IndexedAction[], known: readonly IndexedAction[]): IndexedAction[] => {
  const merged: IndexedAction[] = []
  let next = 0
  for (const action of known) {
    for (let one = added[next]; one !== undefined && byTime(one, action) < 0; one = added[next]) {
      merged.push(one)
      next += 1
    }
    merged.push(action)
  }
  for (const action of added.slice(next)) merged.push(action)
  return merged
}

/** Keeps all actions in memory, and reads only what is new in partitions that have changed. */
export const createActionIndex = (readModel: Reads, maxActions = maxIndexedActions) => {
  let partitions = new Map<string, { readonly position: string; readonly lastScore: number }>()
  let newestFirst: readonly IndexedAction[] = []
  /** Undefined if the last refresh has failed. */
  let lineage: string | undefined

  const readNew = async (partition: string, after: number, into: IndexedAction[]): Promise<number> => {
    for (let lastScore = after; ;) {
      await yieldToEventLoop()
      const range = { from: lastScore + 1, order: 'ascending', limit: actionsPerRead } as const
      const entries = await readModel.range(partition, actionList, range)
      for (const { member, score, value } of entries)
        into.push({ id: member, number: score, ...recordedActionOf(value) })
      lastScore = entries.at(-1)?.score ?? lastScore
      if (entries.length < actionsPerRead) return lastScore
    }
  }

  const readChanged = async (): Promise<void> => {
    const now = readModel.lineage()
    if (lineage !== now) {
      partitions = new Map()
      newestFirst = []
    }
    lineage = undefined
    const positions = await readModel.positions(auditProjection.name)
    const added: IndexedAction[] = []
    for (const [partition, position] of Object.entries(positions)) {
      const known = partitions.get(partition)
      if (known?.position === position) continue
      const lastScore = await readNew(partition, known?.lastScore ?? 0, added)
      partitions.set(partition, { position, lastScore })
    }
    if (added.length > 0) newestFirst = merge(added.toSorted(byTime), newestFirst).slice(0, maxActions)
    lineage = now
  }

  /** All actions, newest first, with everything that was projected before the call. */
  return shareNextRun(async (): Promise<readonly IndexedAction[]> => {
    for (let reads = 0; reads < maxReads; reads++) {
      await readChanged()
      if (readModel.lineage() === lineage) break
    }
    return newestFirst
  })
}
export type ActionIndex = ReturnType<typeof createActionIndex>
