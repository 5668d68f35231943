import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { batchIterable } from '../../async/batches.ts'
import type { CaughtUp, Recorded } from '../../event-store/port.ts'
import { type LogPosition, logPosition, positionOf } from '../log-cursor.ts'
import type { Relay } from '../relay.ts'

/** Read ahead while others are on their way. */
const mostEvents = 256
/** Translated at once: a send becomes many messages. */
const mostMessages = 500

export type PublishAlong = {
  /** Its signal aborts when this ends, whatever the reason. */
  source(left: AbortSignal): AsyncIterable<Recorded | CaughtUp>
  readonly relay: Relay
  /** Resolves when they are on the bus. */
  publish(envelopes: readonly Envelope[]): Promise<void>
  /** Everything up to there is on the bus. */
  onReached(place: LogPosition): void
  onCaughtUp(): void
}

/** Catching up leads to the end of the log, where the store may not know the event. */
const placeAt = (item: Recorded | CaughtUp, before: LogPosition | undefined): LogPosition => {
  if (item.kind === 'event') return logPosition(item.position, item.id)
  return before !== undefined && positionOf(before) === item.position
    ? before
    : logPosition(item.position, item.eventId)
}

/**
 * Follows the log and publishes what it becomes, in its order, until the source ends. An event that cannot be translated
 * rejects after those before it have been published: it is not for the feed to leave it out.
 */
export const publishAlong = async (options: PublishAlong): Promise<void> => {
  const { relay, publish, onReached, onCaughtUp } = options
  let envelopes: Envelope[] = []

  const flush = async (upTo: LogPosition) => {
    const batch = envelopes
    envelopes = []
    if (batch.length > 0) await publish(batch)
    onReached(upTo)
  }

  for await (const items of batchIterable(options.source, mostEvents)) {
    let reached: LogPosition | undefined
    for (const item of items) {
      if (item.kind === 'event') {
        try {
          envelopes.push(...relay.translate(item))
        } catch (error) {
          if (reached !== undefined) await flush(reached)
          throw error
        }
      }
      reached = placeAt(item, reached)
      if (envelopes.length >= mostMessages) await flush(reached)
    }
    if (reached !== undefined) await flush(reached)
    if (items.at(-1)?.kind === 'caught-up') onCaughtUp()
  }
}
