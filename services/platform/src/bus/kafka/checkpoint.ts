import type { Logger } from 'pino'
import { z } from 'zod'
import type { Position } from '../../event-store/port.ts'
import type { ReadModel } from '../../read-model/port.ts'
import type { KafkaAddress } from './address.ts'
import type { Ends, Layout } from './producing.ts'

const saveEveryMs = 250
/** The name under which it is kept among the cursors; the events' log is the only thing a feed follows. */
const ofTheLog = 'log'

/** How far the feed is, and what Kafka held then. */
export type Checkpoint = {
  readonly position: Position | 'start'
  /** The offset behind the last message that the feed has put into each partition. */
  readonly ends: Ends
  readonly layout: Layout
}

const checkpointSchema = z.object({
  position: z.string().min(1),
  ends: z.record(z.string(), z.string().regex(/^\d+$/).transform(BigInt)),
  layout: z.record(z.string(), z.int().min(1)),
})

const textOf = ({ position, ends, layout }: Checkpoint): string =>
  JSON.stringify({
    position,
    ends: Object.fromEntries([...ends].map(([name, end]) => [name, `${end}`])),
    layout: Object.fromEntries(layout),
  })

export const feedName = ({ prefix }: KafkaAddress, service: string): string => `feed:${prefix}${service}`

export const loadCheckpoint = async (readModel: ReadModel, feed: string): Promise<Checkpoint | undefined> => {
  const text = (await readModel.loadCursors(feed))[ofTheLog]
  if (text === undefined) return undefined
  const { position, ends, layout } = checkpointSchema.parse(JSON.parse(text))
  return {
    // Saved by this file alone, which has it from the store.
    position: position as Position | 'start',
    ends: new Map(Object.entries(ends)),
    layout: new Map(Object.entries(layout)),
  }
}

export type CheckpointKeeper = {
  reached(checkpoint: Checkpoint): void
  /** Saves what is unsaved, and keeps no longer. */
  stop(): Promise<void>
}

/** Saves now and then; what was published since the last time is published again after a crash, and known by its position. */
export const keepCheckpoint = (readModel: ReadModel, feed: string, logger: Logger): CheckpointKeeper => {
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
