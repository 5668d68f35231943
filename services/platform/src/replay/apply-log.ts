import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Relay } from '../bus/relay.ts'
import type { EventStore, Position } from '../event-store/port.ts'
import type { Place } from './log-place.ts'
import type { Target } from './target.ts'

export type LogOptions = {
  readonly log: Pick<EventStore, 'subscribe'>
  readonly relay: Relay
  readonly targets: readonly Target[]
  /** From behind this place up to and with the other. */
  readonly after: Place
  readonly until: Place
  readonly signal: AbortSignal
  onEvent?(place: Position): void
}

const applyTo = async (target: Target, envelope: Envelope, before: Place): Promise<void> => {
  const { projection, gate } = target
  if (!projection.topics.includes(envelope.topic)) return
  const partition = projection.partitionOf(envelope)
  if (partition === undefined) return
  if (gate?.holdsBack(partition, envelope.position)) {
    target.heldFrom ??= before
    return
  }
  await target.apply(partition, envelope)
}

/** One pass over the log for all targets, in its order. Answers with the place it got to. */
export const applyLog = async (options: LogOptions): Promise<Place> => {
  const { log, relay, targets, after, until, signal, onEvent } = options
  let place = after
  if (until === 'start' || (after !== 'start' && after >= until)) return place
  for await (const item of log.subscribe(after, { categories: relay.categories }, signal)) {
    signal.throwIfAborted()
    // Everything that was there when the subscription looked, and so when `until` was looked up, has come.
    if (item.kind === 'caught-up') return item.position === 'start' ? place : item.position
    if (item.position > until) return place
    for (const envelope of relay.translate(item)) {
      for (const target of targets) await applyTo(target, envelope, place)
    }
    place = item.position
    onEvent?.(place)
  }
  signal.throwIfAborted()
  return place
}
