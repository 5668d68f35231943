import type { Logger } from 'pino'
import { z } from 'zod'
import type { Position } from '../../../event-store/port.ts'
import { type LogPosition, positionOf } from '../../log-cursor.ts'
import type { CheckpointStore } from '../../publisher.ts'
import { type KafkaAddress, parseKafkaAddress } from '../address.ts'
import type { Ends, Layout } from '../topics.ts'

const saveIntervalMs = 250
/** The bus partition of the saved cursor: a log publisher reads only the log. */
const logPartition = 'log'

/** How far a log publisher has published, and what Kafka had then. */
export type Checkpoint = {
  readonly position: Position | 'start'
  /** The id of the event at the position. Missing in checkpoints of older releases, or if the store did not report it. */
  readonly eventId?: string
  /**
   * Identifies the fill of Kafka. Changes whenever the log publisher could not resume at its checkpoint. Missing in checkpoints of
   * older releases.
   */
  readonly fill?: string
  /** The offset after the last published message of each partition. */
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

const format = ({ position, eventId, fill, ends, layout }: Checkpoint): string =>
  JSON.stringify({
    position,
    ...(eventId !== undefined && { eventId }),
    ...(fill !== undefined && { fill }),
    ends: Object.fromEntries([...ends].map(([name, end]) => [name, `${end}`])),
    layout: Object.fromEntries(layout),
  })

const parse = (text: string): Checkpoint => {
  const { position, eventId, fill, ends, layout } = checkpointSchema.parse(JSON.parse(text))
  return {
    // Saved only here, with positions of the store.
    position: position as Position | 'start',
    ...(eventId !== undefined && { eventId }),
    ...(fill !== undefined && { fill }),
    ends: new Map(Object.entries(ends)),
    layout: new Map(Object.entries(layout)),
  }
}

/** The name of a service's log publisher, of its lease and of its checkpoint. */
export const logPublisherName = ({ prefix }: KafkaAddress, service: string): string => `feed:${prefix}${service}`

export const loadCheckpoint = async (
  control: Pick<CheckpointStore, 'loadCursors'>,
  publisher: string,
): Promise<Checkpoint | undefined> => {
  const text = (await control.loadCursors(publisher))[logPartition]
  return text === undefined ? undefined : parse(text)
}

/**
 * Makes the log publishers of these services continue after `at`, for a rebuild after the log was restored from an older copy. A
 * running log publisher applies it once the discontinuity of the log is closed.
 */
export const moveLogPublishers = async (
  url: string,
  control: CheckpointStore,
  services: readonly string[],
  at: LogPosition,
): Promise<void> => {
  const address = parseKafkaAddress(url)
  for (const service of services) {
    const publisher = logPublisherName(address, service)
    const saved = await loadCheckpoint(control, publisher)
    const { eventId: _former, ...rest } = saved ?? { ends: new Map(), layout: new Map() }
    const moved = { ...rest, position: positionOf(at), ...(typeof at !== 'string' && { eventId: at.eventId }) }
    await control.saveCursor(publisher, logPartition, format(moved))
  }
}

type CheckpointSaver = {
  reached(checkpoint: Checkpoint): void
  /** Saves the last checkpoint and stops. */
  stop(): Promise<void>
}

/** Saves at intervals. After a crash, messages since the last save are published again, and consumers recognize them by position. */
export const startCheckpointSaver = (
  control: Pick<CheckpointStore, 'saveCursor'>,
  publisher: string,
  logger: Logger,
): CheckpointSaver => {
  let unsaved: Checkpoint | undefined
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()
  let hasFailed = false

  const save = async () => {
    const checkpoint = unsaved
    if (checkpoint === undefined) return
    try {
      await control.saveCursor(publisher, logPartition, format(checkpoint))
      if (unsaved === checkpoint) unsaved = undefined
      hasFailed = false
    } catch (error) {
      if (!hasFailed) logger.warn({ err: error, feed: publisher }, 'log publisher could not save its checkpoint')
      hasFailed = true
    }
  }
  const saveLater = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      saving = save()
    }, saveIntervalMs)
  }

  return {
    reached(checkpoint) {
      unsaved = checkpoint
      saveLater()
    },
    async stop() {
      clearTimeout(timer)
      await saving
      await save()
    },
  }
}
