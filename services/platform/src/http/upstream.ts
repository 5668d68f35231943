import { startPolling } from '../async/polling.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'

const defaults = { everyMs: 1_000, timeoutMs: 3_000 }

type Watched = {
  readonly name: string
  /** `http://127.0.0.1:4000` */
  readonly address: string
}

export type LivenessTimes = {
  readonly everyMs?: number
  /** Longer than a process takes to ask its own engines for its health. */
  readonly timeoutMs?: number
}
type Options = LivenessTimes & {
  /** For what waits for it already. */
  onUnresponsive?(name: string): void
}

type Liveness = {
  /** It holds connections open without answering, as a stopped process does. */
  isUnresponsive(name: string): boolean
  stop(): void
}

/**
 * Asks each process for its health over and over. Any answer will do, a red one too; a process that refuses the connection is not
 * frozen, as its callers notice that at once.
 */
export const watchLiveness = (
  watched: readonly Watched[],
  { everyMs = defaults.everyMs, timeoutMs = defaults.timeoutMs, onUnresponsive }: Options = {},
): Liveness => {
  const unresponsive = new Set<string>()

  const ask = async ({ name, address }: Watched, stopping: AbortSignal): Promise<void> => {
    const deadline = AbortSignal.timeout(timeoutMs)
    try {
      const signal = AbortSignal.any([deadline, stopping])
      const answer = await fetch(new URL('/health', address), { redirect: 'error', signal })
      await answer.body?.cancel()
      unresponsive.delete(name)
    } catch {
      if (stopping.aborted) return
      if (!deadline.aborted) return void unresponsive.delete(name)
      const isNews = !unresponsive.has(name)
      unresponsive.add(name)
      if (isNews) onUnresponsive?.(name)
    }
  }
  const polls = watched.map((one) => startPolling((signal) => ask(one, signal), { everyMs }))

  return {
    isUnresponsive: (name) => unresponsive.has(name),
    stop: () => {
      for (const poll of polls) void poll.stop()
    },
  }
}

type Sent = { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders }

/** Whether a request that was sent may be sent again when its answer was lost: all but a POST without an Idempotency-Key. */
export const isRepeatable = ({ method, headers }: Sent): boolean =>
  method !== 'POST' || headers[idempotencyKeyHeader] !== undefined
