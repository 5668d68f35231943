import type { Logger } from 'pino'
import type { Cursor, Cursors } from '../bus/port.ts'
import type { Checkpoints } from '../read-model/port.ts'

const saveEveryMs = 1_000

export type CheckpointSaver = {
  load(): Promise<Cursors>
  /** Call it when everything up to the cursor has been handled. */
  reached(busPartition: string, cursor: Cursor): void
  /** Saves unsaved cursors and stops. */
  stop(): Promise<void>
  /** Stops without saving, because the cursors are ahead of a read model that went back. */
  discard(): Promise<void>
}

/** Stored in place of a cursor: the consumer starts again at the beginning of the log. */
const cleared = ''

/** The cursors without those that were cleared. */
export const withoutCleared = (cursors: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(cursors).filter(([, cursor]) => cursor !== cleared))

/** Clears the cursors of a halted consumer, for a repair. */
export const clearCursors = async (readModel: Checkpoints, consumer: string): Promise<void> => {
  for (const busPartition of Object.keys(await readModel.loadCursors(consumer))) {
    await readModel.saveCursor(consumer, busPartition, cleared)
  }
}

/**
 * Saves a consumer's cursors once a second instead of with each message. Messages after the last save are redelivered after a crash, and
 * the consumer recognizes them by their position.
 */
export const createCheckpointSaver = (
  readModel: Checkpoints,
  consumer: string,
  logger: Logger,
  onFailure: (error: unknown) => void = () => undefined,
): CheckpointSaver => {
  const saved = new Map<string, Cursor>()
  const reached = new Map<string, Cursor>()
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()
  let isDiscarded = false

  const saveAll = async () => {
    for (const [busPartition, cursor] of reached) {
      if (isDiscarded) return
      if (saved.get(busPartition) === cursor) continue
      await readModel.saveCursor(consumer, busPartition, cursor)
      saved.set(busPartition, cursor)
    }
  }

  const onTimer = () => {
    timer = undefined
    // A failed save is harmless: the cursor stays lower until the next one.
    saving = saveAll().catch((error: unknown) => {
      logger.warn({ err: error, consumer }, 'cursor not saved')
      onFailure(error)
    })
  }

  return {
    async load() {
      // Only cursors from the bus are saved here.
      const cursors = withoutCleared(await readModel.loadCursors(consumer)) as Cursors
      for (const [busPartition, cursor] of Object.entries(cursors)) saved.set(busPartition, cursor)
      return cursors
    },
    reached(busPartition, cursor) {
      if (isDiscarded || reached.get(busPartition) === cursor) return
      reached.set(busPartition, cursor)
      timer ??= setTimeout(onTimer, saveEveryMs)
    },
    async stop() {
      clearTimeout(timer)
      await saving
      onTimer()
      await saving
    },
    async discard() {
      isDiscarded = true
      clearTimeout(timer)
      await saving
    },
  }
}
