import type { Logger } from 'pino'
import type { Cursor, Cursors } from '../bus/port.ts'
import type { Checkpoints } from '../read-model/port.ts'

const saveEveryMs = 1_000

export type CheckpointSaver = {
  load(): Promise<Cursors>
  /** Everything up to the cursor has been handled. */
  reached(busPartition: string, cursor: Cursor): void
  /** Saves what is unsaved, and keeps no longer. */
  stop(): Promise<void>
  /** Saves nothing any more: what was reached is ahead of what the read model holds now. */
  discard(): Promise<void>
}

/** In place of a cursor: the consumer begins at the start of the log again. */
const cleared = ''

/** A consumer has no cursor where it was forgotten. */
export const withoutCleared = (cursors: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(cursors).filter(([, cursor]) => cursor !== cleared))

/** For a repair, while the consumer stands still. */
export const clearCursors = async (readModel: Checkpoints, consumer: string): Promise<void> => {
  for (const busPartition of Object.keys(await readModel.loadCursors(consumer))) {
    await readModel.saveCursor(consumer, busPartition, cleared)
  }
}

/**
 * A consumer's low-water marks. They are saved now and then, not with each message: what lies between the last
 * save and a crash comes again, and a consumer knows by position what it has had.
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
    // Not worth stopping for: the mark stays lower than it could be until the next save.
    saving = saveAll().catch((error: unknown) => {
      logger.warn({ err: error, consumer }, 'Cursor not saved')
      onFailure(error)
    })
  }

  return {
    async load() {
      // Only what this consumer was given by its bus is ever saved here.
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
