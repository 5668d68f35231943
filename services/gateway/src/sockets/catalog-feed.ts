import type { CatalogChanged } from '@portal/contracts/catalog/socket'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import type { Logger } from 'pino'
import { type Applied, createWaitUntilApplied } from './progress.ts'

/** A program is told at most once in it, as it is by then: an admin who types and saves in haste floods nobody. */
const intervalMs = 200
/** Programs that wait to be told; beyond that the oldest are left to the clients' next look at the catalog. */
const waitingPrograms = 1_000
/** What is told at once, well below what may wait for a client that reads slowly; the rest follows an interval later. */
const messagesPerFlush = 20
const charsPerFlush = 1024 * 1024

type CatalogFeedDeps = {
  /** Tells all who are connected to this gateway. */
  broadcast(message: CatalogChanged): void
  readonly programsApplied: Applied
  readonly logger: Logger
}

type Change = { readonly message: CatalogChanged; readonly key: string; readonly position: string }

const programIdOf = (message: CatalogChanged): ProgramRecordId =>
  message.kind === 'program-saved' ? message.program._id : message.programId

/**
 * Tells everybody what became of the catalog. The bus says it whole, so nothing is read, but it is told only once the projection
 * has applied it: who comes in and fetches before that is then connected, and hears it. The first change goes out at once; of those
 * that come within an interval the last of each program counts.
 */
export const createCatalogFeed = ({ broadcast, programsApplied, logger }: CatalogFeedDeps) => {
  /** In the order of the first change that has not been told: a new program is told of before those added after it. */
  const waiting = new Map<ProgramRecordId, Change>()
  const state = createRunningState()
  const waitUntilApplied = createWaitUntilApplied({
    projection: 'programs',
    applied: programsApplied,
    stopping: state.signal,
    logger,
  })
  let timer: NodeJS.Timeout | undefined
  let isBroadcasting = false
  let lastBroadcastMs = -intervalMs

  /** At least one, however large it is. */
  const take = (): readonly Change[] => {
    const taken: Change[] = []
    let chars = 0
    for (const [programId, change] of waiting) {
      chars += JSON.stringify(change.message).length
      if (taken.length > 0 && (chars > charsPerFlush || taken.length === messagesPerFlush)) break
      taken.push(change)
      waiting.delete(programId)
    }
    return taken
  }

  /** Taken before the wait: what comes meanwhile is for the next time, or a storm would have it wait for ever later positions. */
  const broadcastNext = async (): Promise<void> => {
    const taken = take()
    const newest = taken.reduce((a, b) => (b.position > a.position ? b : a))
    if (!(await waitUntilApplied(newest.key, newest.position))) return
    for (const { message } of taken) broadcast(message)
    lastBroadcastMs = performance.now()
  }

  const schedule = (): void => {
    if (state.isStopped() || timer || isBroadcasting || waiting.size === 0) return
    timer = setTimeout(
      () => {
        timer = undefined
        isBroadcasting = true
        void broadcastNext().finally(() => {
          isBroadcasting = false
          schedule()
        })
      },
      Math.max(0, lastBroadcastMs + intervalMs - performance.now()),
    )
  }

  return {
    changed: (message: CatalogChanged, key: string, position: string): void => {
      waiting.set(programIdOf(message), { message, key, position })
      const [oldest] = waiting.keys()
      if (waiting.size > waitingPrograms && oldest !== undefined) waiting.delete(oldest)
      schedule()
    },
    stop: (): void => {
      state.stop()
      clearTimeout(timer)
    },
  }
}
