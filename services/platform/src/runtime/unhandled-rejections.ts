import type { EventEmitter } from 'node:events'
import type { Logger } from 'pino'
import type { HealthPart } from '../observability/health.ts'

/** Longer than an alert and two scrapes need to notice it. */
const redMs = 300_000

/** Health shows its text to operators. */
class UnhandledRejectionError extends Error {
  override readonly name = 'UnhandledRejectionError'
  readonly isUserFacing = true
  constructor(cause: unknown) {
    super(`A failure of background work was not handled: ${String(cause)}`, { cause })
  }
}

type WatchUnhandledRejections = {
  readonly logger: Pick<Logger, 'error'>
  readonly elapsedMs: () => number
  /** Counts each rejection. */
  readonly onRejection: () => void
  readonly source?: Pick<EventEmitter, 'on'>
}

/**
 * The last handler for rejections that no other code handles, such as those inside client libraries. The process continues: whatever the
 * rejection has ended reports itself by its own health part, and no acknowledged data depends on it.
 *
 * The returned part is down for five minutes after the newest rejection, so that a person notices it. Staying down until a restart would
 * report a fault that is over. The counter keeps it. An uncaught exception still ends the process, because it may have left
 * data of this process half changed; the next start continues from the log.
 */
export const watchUnhandledRejections = ({
  logger,
  elapsedMs,
  onRejection,
  source = process,
}: WatchUnhandledRejections): HealthPart => {
  let latest: { readonly reason: unknown; readonly atMs: number } | undefined
  source.on('unhandledRejection', (reason: unknown) => {
    latest = { reason, atMs: elapsedMs() }
    onRejection()
    logger.error({ err: reason }, 'unhandled rejection, continuing')
  })
  return {
    name: 'background-work',
    isCritical: false,
    check: async () => {
      if (latest !== undefined && elapsedMs() - latest.atMs < redMs) throw new UnhandledRejectionError(latest.reason)
    },
  }
}
