import type { CatalogChanged } from '@portal/contracts/catalog/socket'
import type { ProgramRecordId } from '@portal/contracts/shared/ids'
import { createRunningState } from '@portal/platform/async/running-state'
import { wholeMs } from '@portal/platform/async/timers'
import type { Logger } from 'pino'
import { type Applied, createWaitUntilApplied } from './progress.ts'

/** Sends each program at most once per interval, so that rapid saves do not flood clients. */
const intervalMs = 200
/**
 * Maximum number of queued programs. Beyond it the oldest are dropped; clients see them when they reload the
 * catalog.
 */
const waitingPrograms = 1_000
/** Stays well below the limits for slow clients; the rest follows after an interval. */
const messagesPerFlush = 20
const charsPerFlush = 1024 * 1024

type CatalogFeedDeps = {
  /** Emits to all clients of this gateway. */
  broadcast(message: CatalogChanged): void
  readonly programsApplied: Applied
  readonly logger: Logger
}

type Change = { readonly message: CatalogChanged; readonly key: string; readonly position: string }

const programIdOf = (message: CatalogChanged): ProgramRecordId =>
  message.kind === 'program-saved' ? message.program._id : message.programId

/**
 * Broadcasts catalog changes. Messages carry the complete program, so nothing is read. A change is sent only after
 * the projection has applied it: a client that fetches before that is already connected and receives the message.
 * The first change goes out at once. Within an interval only the last change of each program is sent.
 */
export const createCatalogFeed = ({ broadcast, programsApplied, logger }: CatalogFeedDeps) => {
  /** Changes in the order of each program's first unsent one, so that new programs arrive in order. */
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

  /** Takes at least one change, regardless of its size. */
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

  /** Takes the batch before waiting. Otherwise continuous changes would postpone it to ever later positions. */
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
      wholeMs(lastBroadcastMs + intervalMs - performance.now()),
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
