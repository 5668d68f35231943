import type { Logger } from 'pino'
import type { Cursor, Cursors } from '../bus/port.ts'
import type { ReadModel } from '../read-model/port.ts'

const saveEveryMs = 1_000

export type CursorKeeper = {
  load(): Promise<Cursors>
  /** Everything up to the cursor has been handled. */
  reached(busPartition: string, cursor: Cursor): void
  /** Saves what is unsaved, and keeps no longer. */
  stop(): Promise<void>
}

/**
 * A consumer's low-water marks. They are saved now and then, not with each message: what lies between the last
 * save and a crash comes again, and a consumer knows by position what it has had.
 */
export const keepCursors = (readModel: ReadModel, consumer: string, logger: Logger): CursorKeeper => {
  const saved = new Map<string, Cursor>()
  const reached = new Map<string, Cursor>()
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()

  const saveAll = async () => {
    for (const [busPartition, cursor] of reached) {
      if (saved.get(busPartition) === cursor) continue
      await readModel.saveCursor(consumer, busPartition, cursor)
      saved.set(busPartition, cursor)
    }
  }

  const onTimer = () => {
    timer = undefined
    // Not worth stopping for: the mark stays lower than it could be until the next save.
    saving = saveAll().catch((error: unknown) => logger.warn({ err: error, consumer }, 'Cursor not saved'))
  }

  return {
    async load() {
      // Only what this consumer was given by its bus is ever saved here.
      const cursors = (await readModel.loadCursors(consumer)) as Cursors
      for (const [busPartition, cursor] of Object.entries(cursors)) saved.set(busPartition, cursor)
      return cursors
    },
    reached(busPartition, cursor) {
      if (reached.get(busPartition) === cursor) return
      reached.set(busPartition, cursor)
      timer ??= setTimeout(onTimer, saveEveryMs)
    },
    async stop() {
      clearTimeout(timer)
      await saving
      onTimer()
      await saving
    },
  }
}
