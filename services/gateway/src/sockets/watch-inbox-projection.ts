import { createRunningState } from '@portal/platform/async/running-state'
import { sleep } from '@portal/platform/async/timers'
import type { Bus, Cursors } from '@portal/platform/bus/port'
import type { Logger } from 'pino'
import type { InboxProgress } from './progress.ts'

const pollMs = 1_000
/**
 * After a gap the end of the bus is unknown. By this time the projection has passed it, or health reports a
 * failure.
 */
const watchAfterGapMs = 10 * 60_000

type InboxProjectionWatcherDeps = {
  readonly bus: Pick<Bus, 'hasReached'>
  readonly progress: InboxProgress
  /** The inboxes of these buckets may have changed. */
  onBucketsChanged(buckets: ReadonlySet<string>): void
  readonly logger: Logger
}

const changedBuckets = (
  before: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): ReadonlySet<string> =>
  new Set(Object.entries(now).flatMap(([bucket, position]) => (before[bucket] === position ? [] : [bucket])))

/**
 * Watches the projection while it is behind the position at which this gateway joined the bus. The gateway receives
 * no earlier message, but its clients may have connected before it was applied. Only buckets that moved are read
 * again, so a halted projection costs nothing.
 */
export const createInboxProjectionWatcher = ({
  bus,
  progress,
  onBucketsChanged,
  logger,
}: InboxProjectionWatcherDeps) => {
  const state = createRunningState()
  let running: Promise<void> = Promise.resolve()
  let latest = 0

  const watch = async (mine: number, target: () => Cursors, atLeastUntilMs: number): Promise<void> => {
    let known: Readonly<Record<string, string>> = {}
    while (!state.isStopped() && mine === latest) {
      try {
        // Cursors first: everything that they have passed is in the positions.
        const hasReached = bus.hasReached(await progress.cursors(), target(), progress.topics)
        const positions = await progress.positions()
        onBucketsChanged(changedBuckets(known, positions))
        known = positions
        if (hasReached && performance.now() >= atLeastUntilMs) return
      } catch (error) {
        logger.warn({ err: error }, 'progress of the inbox projection unavailable, retrying')
      }
      await sleep(pollMs, { signal: state.signal, unref: true })
    }
  }

  const start = (target: () => Cursors, atLeastUntilMs: number): void => {
    latest += 1
    const mine = latest
    running = running.then(() => watch(mine, target, atLeastUntilMs))
  }

  return {
    /** Watches from the gateway's start until the projection has passed `target`. */
    watchUntil: (target: Cursors): void => start(() => target, 0),
    /** Watches after messages were lost. `target` is read on each poll, because the bus may not know it yet. */
    watchAfterGap: (target: () => Cursors): void => start(target, performance.now() + watchAfterGapMs),
    stop: async (): Promise<void> => {
      state.stop()
      await running
    },
  }
}
