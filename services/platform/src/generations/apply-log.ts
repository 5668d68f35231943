import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { type LogPosition, logPosition, positionOf } from '../bus/log-cursor.ts'
import type { Relay } from '../bus/relay.ts'
import type { EventStore, Position } from '../event-store/port.ts'
import type { BuiltPosition, RebuildTarget } from './rebuild-target.ts'

export type LogOptions = {
  readonly log: Pick<EventStore, 'subscribe'>
  readonly relay: Relay
  readonly targets: readonly RebuildTarget[]
  /** Applies the events after `after`, up to and including `until`. */
  readonly after: LogPosition
  readonly until: BuiltPosition
  readonly signal: AbortSignal
  onEvent?(position: Position): void
}

const applyTo = async (target: RebuildTarget, envelope: Envelope, before: BuiltPosition): Promise<void> => {
  const { projection, baseline } = target
  if (!projection.topics.includes(envelope.topic)) return
  const partition = projection.partitionOf(envelope)
  if (partition === undefined) return
  if (baseline?.holdsBack(partition, envelope.position)) {
    target.heldFrom ??= before
    return
  }
  await target.apply(partition, envelope)
}

/** Applies the log to all targets in one pass. Returns the position that it reached. */
export const applyLog = async (options: LogOptions): Promise<LogPosition> => {
  const { log, relay, targets, after, until, signal, onEvent } = options
  const topics = [...new Set(targets.flatMap(({ projection }) => projection.topics))]
  let reached = after
  const begins = positionOf(after)
  if (until === 'start' || (begins !== 'start' && begins >= until)) return reached
  for await (const item of log.subscribe(after, { categories: relay.categories }, signal)) {
    signal.throwIfAborted()
    // Everything that was there when the subscription looked, and so when `until` was looked up, has come.
    if (item.kind === 'caught-up') {
      const isFurther = item.position !== 'start' && item.position !== positionOf(reached)
      return isFurther ? logPosition(item.position, item.eventId) : reached
    }
    if (item.position > until) return reached
    for (const envelope of relay.translate(item, topics)) {
      for (const target of targets) await applyTo(target, envelope, positionOf(reached))
    }
    reached = logPosition(item.position, item.id)
    onEvent?.(item.position)
  }
  signal.throwIfAborted()
  return reached
}
