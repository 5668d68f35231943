import { z } from 'zod'
import { type LogPosition, logPosition, positionOf } from '../bus/log-cursor.ts'
import type { EventStore } from '../event-store/port.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import { createDiscontinuityStore, projectionConsumer, projectionOf, wholeLog } from '../discontinuity/discontinuity.ts'
import { clearCursors } from '../projection/checkpoint-saver.ts'
import { projectionNameOf } from '../read-model/projection-key.ts'
import { reactorGroup } from './run-consumer.ts'
import type { ReplayPorts } from './run-with-replay-lock.ts'

/**
 * A log publisher stores its checkpoint as a cursor, in JSON. Other fields belong to the log publisher
 * (bus/kafka/producer/checkpoint.ts).
 */
const checkpointPartition = 'log'
const checkpointSchema = z.looseObject({ position: z.string() })

/** The end of the log, with the id of the last event if the store returns it. */
export const readLogEnd = async (log: Pick<EventStore, 'subscribe' | 'end'>): Promise<LogPosition> => {
  let position: LogPosition = await log.end()
  const stop = new AbortController()
  try {
    for await (const item of log.subscribe(position, 'all', stop.signal)) {
      if (item.kind === 'event') position = logPosition(item.position, item.id)
      else
        return item.position === positionOf(position) && typeof position !== 'string'
          ? position
          : logPosition(item.position, item.eventId)
    }
    return position
  } finally {
    stop.abort()
  }
}

/** Makes a log publisher continue after this position. Consumers read earlier events from the log. */
const resetLogPublisher = async (control: Checkpoints, publisher: string, end: LogPosition): Promise<void> => {
  const saved = (await control.loadCursors(publisher))[checkpointPartition]
  // Without a checkpoint the log publisher finds its position in Kafka.
  if (saved === undefined) return
  const { eventId: _another, ...own } = checkpointSchema.parse(JSON.parse(saved))
  const position = typeof end === 'string' ? { position: end } : end
  await control.saveCursor(publisher, checkpointPartition, JSON.stringify({ ...own, ...position }))
}

/** What of a portal is repaired otherConsumers its projections, when all of those are rebuilt. */
export type OtherConsumers = {
  /** Names of the consumers without a read model. */
  readonly reactors: readonly string[]
  /** The consumer names of the log publishers' checkpoints. Empty if the bus is the log. */
  readonly logPublishers: readonly string[]
}

/** After the event store went back, only a replay of all projections repairs the portal. */
export class OnlyAllTogetherError extends Error {
  override readonly name = 'OnlyAllTogetherError'
  readonly isUserFacing = true
  constructor(command: string) {
    super(`The event store is older than the data derived from it, so ${command} is not possible. Run: make replay`)
  }
}

export type Repair = {
  /** Cursors and checkpoints refer to another log. */
  readonly isDifferentLog: boolean
  /** The projection is recorded as incomplete, so its active generation is no baseline. */
  isIncomplete(key: string): boolean
  /** Call it after the switch of these keys. Resets the other consumers, then clears the records. */
  complete(switched: readonly string[]): Promise<void>
}

type Options = Pick<ReplayPorts, 'log'> & {
  readonly control: ReadModel
  readonly otherConsumers: OtherConsumers | undefined
}

/** Reads the records when a rebuild begins, and returns what the rebuild has to repair. */
export const planRepair = async ({ control, log, otherConsumers }: Options): Promise<Repair> => {
  const store = createDiscontinuityStore(control)
  const open = await store.all()
  const isOpen = (name: string) => open.some(({ consumer }) => consumer === name)
  const isDifferentLog = isOpen(wholeLog)
  if (isDifferentLog && otherConsumers === undefined) throw new OnlyAllTogetherError('a replay of some projections')
  // Log publishers continue here, so they publish only events that are appended from now on.
  const end = isDifferentLog ? await readLogEnd(log) : 'start'

  /** Reactors restart at the beginning of the log, because they recognize effects that they have already performed. */
  const repairReactors = async (): Promise<readonly string[]> => {
    const names = (otherConsumers?.reactors ?? []).map(reactorGroup)
    const repaired = names.filter((name) => isDifferentLog || isOpen(name))
    for (const name of repaired) await clearCursors(control, name)
    return repaired
  }

  return {
    isDifferentLog: isDifferentLog,
    isIncomplete: (key) => isDifferentLog || isOpen(projectionConsumer(key)),
    async complete(switched) {
      const reactors = await repairReactors()
      if (isDifferentLog)
        for (const name of otherConsumers?.logPublishers ?? []) await resetLogPublisher(control, name, end)
      const names = new Set(switched.map(projectionNameOf))
      // Also clears the records of other versions, which no running release may rebuild.
      const projections = open.flatMap(({ consumer }) => (names.has(projectionOf(consumer) ?? '') ? consumer : []))
      await store.clear([...projections, ...reactors.filter(isOpen), ...(isDifferentLog ? [wholeLog] : [])])
    },
  }
}
