import type { ServerConnection } from './client.ts'

const ticksUntilSilent = 5
/** A connection that is being made may take longer: to a frozen server, a new one would not be faster. */
const ticksUntilUnconnected = 30

/**
 * Pings each connection, and reports one that does not answer within `silentAfterMs`, which the operating system would otherwise keep for
 * 15 minutes. A busy process reads the answers that have arrived between two ticks, so its own delay is no silence.
 */
export const startHeartbeat = (
  silentAfterMs: number,
  connections: () => readonly ServerConnection[],
  onSilent: (connection: ServerConnection) => void,
): { stop(): void } => {
  /** Connections that wait for an answer or to be connected, and for how many ticks. */
  const waiting = new Map<object, { readonly isReady: boolean; ticks: number }>()

  const begin = ({ id, isReady, ping }: ServerConnection): void => {
    waiting.set(id, { isReady, ticks: 0 })
    if (!isReady) return
    // The client reconnects by itself after an error.
    const isOver = (): void => void waiting.delete(id)
    ping().then(isOver, isOver)
  }

  const tick = (): void => {
    const open = connections()
    const ids = new Set(open.map(({ id }) => id))
    for (const id of waiting.keys()) if (!ids.has(id)) waiting.delete(id)
    for (const connection of open) {
      const { id, isReady } = connection
      const wait = waiting.get(id)
      if (wait?.isReady !== isReady) begin(connection)
      else if (++wait.ticks >= (isReady ? ticksUntilSilent : ticksUntilUnconnected)) {
        waiting.delete(id)
        onSilent(connection)
      }
    }
  }
  const timer = setInterval(tick, silentAfterMs / ticksUntilSilent)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
