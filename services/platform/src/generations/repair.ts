import { z } from 'zod'
import { type LogPosition, logPosition, positionOf } from '../bus/log-cursor.ts'
import type { EventStore } from '../event-store/port.ts'
import type { Checkpoints, ReadModel } from '../read-model/port.ts'
import { createDiscontinuityStore, projectionConsumer, projectionOf, wholeLog } from '../discontinuity/discontinuity.ts'
import { clearCursors } from '../projection/checkpoint-saver.ts'
import { projectionNameOf } from '../read-model/projection-key.ts'
import { reactorGroup } from './run-consumer.ts'
import type { ReplayPorts } from './run-with-replay-lock.ts'

/** A feed's checkpoint is kept like a cursor, as JSON; what else it holds is the feed's own (bus/kafka/producer/checkpoint.ts). */
const keptUnder = 'log'
const checkpointSchema = z.looseObject({ position: z.string() })

/** The end of the log, with the event there where the store tells it. */
export const readLogEnd = async (log: Pick<EventStore, 'subscribe' | 'end'>): Promise<LogPosition> => {
  let position: LogPosition = await log.end()
  const enough = new AbortController()
  try {
    for await (const item of log.subscribe(position, 'all', enough.signal)) {
      if (item.kind === 'event') position = logPosition(item.position, item.id)
      else
        return item.position === positionOf(position) && typeof position !== 'string'
          ? position
          : logPosition(item.position, item.eventId)
    }
    return position
  } finally {
    enough.abort()
  }
}

/** Lets a feed go on after this position. Consumers read earlier events from the log. */
const resetLogPublisher = async (control: Checkpoints, feed: string, end: LogPosition): Promise<void> => {
  const saved = (await control.loadCursors(feed))[keptUnder]
  // Without a checkpoint the feed finds its position by itself.
  if (saved === undefined) return
  const { eventId: _another, ...own } = checkpointSchema.parse(JSON.parse(saved))
  const position = typeof end === 'string' ? { position: end } : end
  await control.saveCursor(feed, keptUnder, JSON.stringify({ ...own, ...position }))
}

/** What of a portal is repaired otherConsumers its projections, when all of those are rebuilt. */
export type OtherConsumers = {
  /** Consumers without a read model, by name. */
  readonly reactors: readonly string[]
  /** The names under which feeds keep their checkpoints; none where the bus is the log's own tail. */
  readonly logPublishers: readonly string[]
}

/** Only a rebuild of everything repairs what an older event store leaves behind. */
export class OnlyAllTogetherError extends Error {
  override readonly name = 'OnlyAllTogetherError'
  readonly isUserFacing = true
  constructor(command: string) {
    super(`The event store is older than what was made of it, so ${command} is not possible. Run: make replay`)
  }
}

export type Repair = {
  /** The log is not the one that cursors and checkpoints were made in. */
  readonly isLogAnother: boolean
  /** The projection is on record as incomplete: what serves is no standard to compare with. */
  isIncomplete(key: string): boolean
  /** After the switch of these keys: puts the other consumers where they can go on, then ends the records. */
  complete(switched: readonly string[]): Promise<void>
}

type Options = Pick<ReplayPorts, 'log'> & {
  readonly control: ReadModel
  readonly otherConsumers: OtherConsumers | undefined
}

/** What is on record when a rebuild begins, and what the rebuild has to see to for it. */
export const planRepair = async ({ control, log, otherConsumers }: Options): Promise<Repair> => {
  const kept = createDiscontinuityStore(control)
  const open = await kept.all()
  const isOpen = (name: string) => open.some(({ consumer }) => consumer === name)
  const isLogAnother = isOpen(wholeLog)
  if (isLogAnother && otherConsumers === undefined) throw new OnlyAllTogetherError('a replay of some projections')
  // What is recorded from here on, and only that, feeds publish again.
  const end = isLogAnother ? await readLogEnd(log) : 'start'

  /** They recognize for themselves what they have done already, so they begin at the start of the log. */
  const repairReactors = async (): Promise<readonly string[]> => {
    const names = (otherConsumers?.reactors ?? []).map(reactorGroup)
    const repaired = names.filter((name) => isLogAnother || isOpen(name))
    for (const name of repaired) await clearCursors(control, name)
    return repaired
  }

  return {
    isLogAnother,
    isIncomplete: (key) => isLogAnother || isOpen(projectionConsumer(key)),
    async complete(switched) {
      const reactors = await repairReactors()
      if (isLogAnother)
        for (const feed of otherConsumers?.logPublishers ?? []) await resetLogPublisher(control, feed, end)
      const names = new Set(switched.map(projectionNameOf))
      // Also those of other versions: the release that would rebuild them may be gone.
      const projections = open.flatMap(({ consumer }) => (names.has(projectionOf(consumer) ?? '') ? consumer : []))
      await kept.clear([...projections, ...reactors.filter(isOpen), ...(isLogAnother ? [wholeLog] : [])])
    },
  }
}
