import type { Span, Tracing } from '@portal/platform/observability/tracing/tracing'
import type { Channel } from './connections.ts'

/** Users whose messages are followed for one message of the bus; that is enough to see where the time went. */
const tracedUsersPerMessage = 4

/**
 * The last step of a trace: from when a gateway hears that an inbox changed to when it has told the user's sockets. Nothing is
 * kept while tracing is off.
 */
export const createSocketTraces = (tracing: Tracing) => {
  const waiting = new WeakMap<Channel, Span>()

  return {
    /** To be called for each channel that a message touches; undefined for a message without a trace. */
    of: (parent: string | undefined): ((channel: Channel) => void) | undefined => {
      if (parent === undefined || !tracing.isOn) return undefined
      let followed = 0
      return (channel) => {
        // One that waits already is told of both together, as part of the first one's trace.
        if (followed === tracedUsersPerMessage || waiting.has(channel)) return
        followed += 1
        const attributes = { userId: channel.userId }
        const span = tracing.start('tell sockets', { parent, kind: 'producer', attributes })
        if (span) waiting.set(channel, span)
      }
    },
    /** Whatever waits for this channel ends with it. */
    emitting: (event: string, channel: Channel, emit: () => void): void => {
      const span = tracing.isOn ? waiting.get(channel) : undefined
      emit()
      if (!span) return
      waiting.delete(channel)
      span.set({ event, sockets: channel.sockets.size, seq: channel.sent?.seq ?? 0 })
      span.end()
    },
  }
}
