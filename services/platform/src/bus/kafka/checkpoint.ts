import type { Logger } from 'pino'
import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'
import type { Checkpoints } from '../../read-model/port.ts'
import { type LogPosition, positionOf } from '../log-cursor.ts'
import { type KafkaAddress, parseKafkaAddress } from './address.ts'
import type { Ends, Layout } from './layout.ts'

const saveEveryMs = 250
/** The name under which it is kept among the cursors; the events' log is the only thing a feed follows. */
const ofTheLog = 'log'

/** How far the feed is, and what Kafka held then. */
export type Checkpoint = {
  readonly position: Position | 'start'
  /** Of the event there. Missing in checkpoints of older releases, and where the store did not tell it. */
  readonly eventId?: string
  /** Another one each time the feed had to find its place again: Kafka is not what it was. Missing in those of older releases. */
  readonly fill?: string
  /** The offset behind the last message that the feed has put into each partition. */
  readonly ends: Ends
  readonly layout: Layout
}

const checkpointSchema = z.object({
  position: z.string().min(1),
  eventId: z.string().optional(),
  fill: z.string().optional(),
  ends: z.record(z.string(), z.string().regex(/^\d+$/).transform(BigInt)),
  layout: z.record(z.string(), z.int().min(1)),
})

const textOf = ({ position, eventId, fill, ends, layout }: Checkpoint): string =>
  JSON.stringify({
    position,
    ...(eventId !== undefined && { eventId }),
    ...(fill !== undefined && { fill }),
    ends: Object.fromEntries([...ends].map(([name, end]) => [name, `${end}`])),
    layout: Object.fromEntries(layout),
  })

export const feedName = ({ prefix }: KafkaAddress, service: string): string => `feed:${prefix}${service}`

export const loadCheckpoint = async (readModel: Checkpoints, feed: string): Promise<Checkpoint | undefined> => {
  const text = (await readModel.loadCursors(feed))[ofTheLog]
  if (text === undefined) return undefined
  const { position, eventId, fill, ends, layout } = checkpointSchema.parse(JSON.parse(text))
  return {
    // Saved by this file alone, which has it from the store.
    position: position as Position | 'start',
    ...(eventId !== undefined && { eventId }),
    ...(fill !== undefined && { fill }),
    ends: new Map(Object.entries(ends)),
    layout: new Map(Object.entries(layout)),
  }
}

/**
 * For a rebuild after the log itself went back: the feeds of these services go on behind `place`, whatever they have published
 * before. A feed that runs takes it when the discontinuity of the log is no longer on record.
 */
export const moveFeeds = async (
  url: string,
  readModel: Checkpoints,
  services: readonly string[],
  place: LogPosition,
): Promise<void> => {
  const address = parseKafkaAddress(url)
  for (const service of services) {
    const feed = feedName(address, service)
    const saved = await loadCheckpoint(readModel, feed)
    const { eventId: _former, ...rest } = saved ?? { ends: new Map(), layout: new Map() }
    const moved = { ...rest, position: positionOf(place), ...(typeof place !== 'string' && { eventId: place.eventId }) }
    await readModel.saveCursor(feed, ofTheLog, textOf(moved))
  }
}

export type CheckpointKeeper = {
  reached(checkpoint: Checkpoint): void
  /** Saves what is unsaved, and keeps no longer. */
  stop(): Promise<void>
}

/** Saves now and then; what was published since the last time is published again after a crash, and known by its position. */
export const keepCheckpoint = (readModel: Checkpoints, feed: string, logger: Logger): CheckpointKeeper => {
  let unsaved: Checkpoint | undefined
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()
  let isInTrouble = false

  const save = async () => {
    const checkpoint = unsaved
    if (checkpoint === undefined) return
    try {
      await readModel.saveCursor(feed, ofTheLog, textOf(checkpoint))
      if (unsaved === checkpoint) unsaved = undefined
      isInTrouble = false
    } catch (error) {
      if (!isInTrouble) logger.warn({ err: error, feed }, 'How far the feed is could not be saved')
      isInTrouble = true
    }
  }
  const saveSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      saving = save()
    }, saveEveryMs)
  }

  return {
    reached(checkpoint) {
      unsaved = checkpoint
      saveSoon()
    },
    async stop() {
      clearTimeout(timer)
      await saving
      await save()
    },
  }
}
