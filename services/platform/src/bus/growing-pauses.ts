import { setTimeout as delay } from 'node:timers/promises'

/** Pauses between attempts, each twice as long as the one before, up to a bound. */
export const growingPauses = ({ firstMs, mostMs }: { firstMs: number; mostMs: number }) => {
  let nextMs = firstMs
  return {
    /** Ends early, without an error, when the signal aborts. */
    async pause(signal: AbortSignal): Promise<void> {
      const ms = nextMs
      nextMs = Math.min(nextMs * 2, mostMs)
      await delay(ms, undefined, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error
      })
    },
    reset(): void {
      nextMs = firstMs
    },
  }
}
