import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { batchIterable } from '../../../async/batches.ts'
import type { CaughtUp, RecordedEvent } from '../../../event-store/port.ts'
import { type LogPosition, logPositionAfter } from '../../log-cursor.ts'
import type { Relay } from '../../relay.ts'

/** Read ahead while a batch is being published. */
const maxEvents = 256
/** Published together. One event can become many messages. */
const maxMessages = 500

type PublishFromLogOptions = {
  /** The signal aborts when publishing ends, whatever the reason. */
  openSource(signal: AbortSignal): AsyncIterable<RecordedEvent | CaughtUp>
  readonly relay: Relay
  /** Resolves when the bus has the messages. */
  publish(envelopes: readonly Envelope[]): Promise<void>
  /** Everything up to this position is on the bus. */
  onReached(position: LogPosition): void
  onCaughtUp(): void
}

/**
 * Translates and publishes the log in order, until the source ends. Rejects at an event that cannot be translated, after publishing
 * the earlier ones.
 */
export const publishFromLog = async (options: PublishFromLogOptions): Promise<void> => {
  const { openSource, relay, publish, onReached, onCaughtUp } = options
  let envelopes: Envelope[] = []

  const flush = async (upTo: LogPosition) => {
    const batch = envelopes
    envelopes = []
    if (batch.length > 0) await publish(batch)
    onReached(upTo)
  }

  for await (const items of batchIterable(openSource, maxEvents)) {
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
      reached = logPositionAfter(item, reached)
      if (envelopes.length >= maxMessages) await flush(reached)
    }
    if (reached !== undefined) await flush(reached)
    if (items.at(-1)?.kind === 'caught-up') onCaughtUp()
  }
}
