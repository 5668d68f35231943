import type { Logger } from 'pino'
import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { logCursors, type LogPosition, logPosition, positionOf } from '../bus/log-cursor.ts'
import type { Relay } from '../bus/relay.ts'
import type { EventStore, Position } from '../event-store/port.ts'
import { createPartitionApplier } from '../projection/partition-applier.ts'
import type { Projection } from '../projection/projection.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import type { Baseline } from './baseline-check.ts'
import { createRebuildBuffer } from './rebuild-buffer.ts'
import { projectionGroup } from './run-projection.ts'

/** The log position up to which a generation has been built. */
export type BuiltPosition = Position | 'start'

/** A generation stores the log position that it was built up to as a cursor of this consumer. */
const consumer = 'replay'
const only = '0'

/**
 * Saves the log position that the generation was built up to, and the cursors where runners continue. If the bus is the log, that is
 * `reached`.
 */
export const saveReached = async (
  { projection, readModel }: Pick<RebuildTarget, 'projection' | 'readModel'>,
  reached: LogPosition,
  { busIsLog }: { readonly busIsLog: boolean },
  cursors: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const own = busIsLog && reached !== 'start' ? logCursors(reached) : cursors
  for (const [busPartition, cursor] of Object.entries(own)) {
    await readModel.saveCursor(projectionGroup(projection), busPartition, cursor)
  }
  // An empty log, too: a generation that is replaced before its first event has no cursors of a runner.
  await readModel.saveCursor(consumer, only, positionOf(reached))
}

/**
 * Undefined for a generation that was dropped or never built. A first one, which no run has built, has cursors once it has served.
 */
export const loadBuiltPosition = async (readModel: Checkpoints, group: string): Promise<BuiltPosition | undefined> => {
  const saved = (await readModel.loadCursors(consumer))[only]
  // Only built positions are saved here.
  if (saved !== undefined) return saved as BuiltPosition
  const hasServed = Object.keys(await readModel.loadCursors(group)).length > 0
  return hasServed ? 'start' : undefined
}

/** A generation that a run builds from the log. */
export type RebuildTarget = {
  readonly projection: Projection
  /** Its namespace. */
  readonly name: string
  readonly readModel: ReadModel
  readonly apply: (partition: string, envelope: Parameters<Projection['apply']>[0]) => Promise<unknown>
  /** Writes the buffered commits. */
  flush(): Promise<void>
  /** While it is set, messages after its positions are not applied. */
  baseline: Pick<Baseline, 'holdsBack'> | undefined
  /** The position before the first message that was held back. */
  heldFrom: BuiltPosition | undefined
}

/** Applies messages like a running projection, including dead letters, but writes in large commits. */
export const openRebuildTarget = async (
  projection: Projection,
  name: string,
  readModel: ReadModel,
  logger: Logger,
): Promise<RebuildTarget> => {
  const buffered = await createRebuildBuffer(readModel)
  const { apply } = createPartitionApplier({ projection, readModel: buffered, logger })
  return { projection, name, readModel, apply, flush: () => buffered.flush(), baseline: undefined, heldFrom: undefined }
}

type LogOptions = {
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

/** Applies the log to all targets in one pass. Returns the reached position. */
export const applyLog = async (options: LogOptions): Promise<LogPosition> => {
  const { log, relay, targets, after, until, signal, onEvent } = options
  const topics = [...new Set(targets.flatMap(({ projection }) => projection.topics))]
  let reached = after
  const start = positionOf(after)
  if (until === 'start' || (start !== 'start' && start >= until)) return reached
  for await (const item of log.subscribe(after, { categories: relay.categories }, signal)) {
    signal.throwIfAborted()
    // The subscription caught up after `until` was read, so it has delivered everything up to there.
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
