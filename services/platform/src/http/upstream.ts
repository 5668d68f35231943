import { startPolling } from '../async/polling.ts'
import { systemTimers, type Timers } from '../async/timers.ts'
import type { IncomingHttpHeaders } from 'node:http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'

const defaults = { everyMs: 1_000, timeoutMs: 3_000 }

type Watched = {
  readonly name: string
  /** `http://127.0.0.1:4000` */
  readonly address: string
}

export type LivenessTimes = {
  readonly everyMs?: number
  /** Longer than a health check of the process takes. */
  readonly timeoutMs?: number
  readonly timers?: Timers
}
type Options = LivenessTimes & {
  /** Called once when a process becomes unresponsive, to end the requests that wait for it. */
  onUnresponsive?(name: string): void
}

type Liveness = {
  /** It keeps connections open without responding, as a process after SIGSTOP does. */
  isUnresponsive(name: string): boolean
  stop(): void
}

/**
 * Polls the health route of each process. Any response counts as responsive, even an unhealthy one. A process that refuses
 * connections is not unresponsive either, because its callers fail at once.
 */
export const watchLiveness = (
  watched: readonly Watched[],
  { everyMs = defaults.everyMs, timeoutMs = defaults.timeoutMs, timers = systemTimers, onUnresponsive }: Options = {},
): Liveness => {
  const unresponsive = new Set<string>()

  const poll = async ({ name, address }: Watched, stopping: AbortSignal): Promise<void> => {
    const deadline = new AbortController()
    const cancel = timers.schedule(() => deadline.abort(), timeoutMs, { unref: true })
    try {
      const signal = AbortSignal.any([deadline.signal, stopping])
      const response = await fetch(new URL('/health', address), { redirect: 'error', signal })
      await response.body?.cancel()
      unresponsive.delete(name)
    } catch {
      if (stopping.aborted) return
      if (!deadline.signal.aborted) return void unresponsive.delete(name)
      const isNew = !unresponsive.has(name)
      unresponsive.add(name)
      if (isNew) onUnresponsive?.(name)
    } finally {
      cancel()
    }
  }
  const polls = watched.map((one) => startPolling((signal) => poll(one, signal), { everyMs, timers }))

  return {
    isUnresponsive: (name) => unresponsive.has(name),
    stop: () => {
      for (const polling of polls) void polling.stop()
    },
  }
}

type Sent = { readonly method?: string | undefined; readonly headers: IncomingHttpHeaders }

/** Whether a request may be retried after its response was lost: all except a POST without an Idempotency-Key. */
export const isRepeatable = ({ method, headers }: Sent): boolean =>
  method !== 'POST' || headers[idempotencyKeyHeader] !== undefined
