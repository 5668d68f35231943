import type { Checkpoint, EventStore, Recorded } from '../event-store/port.ts'
import { createArchiveFile } from './archive-file.ts'

const eventsPerTransaction = 1_000

export type ArchivedEnd = { readonly events: number; readonly end: Checkpoint | null }

export type ArchiveOptions = {
  readonly log: Pick<EventStore, 'subscribe'>
  /** Must not exist. */
  readonly path: string
  readonly signal: AbortSignal
  onEvent?(event: Recorded): void
}

/** Copies the log into a SQLite file, up to the end that the subscription reports. */
export const archiveLog = async ({ log, path, signal, onEvent }: ArchiveOptions): Promise<ArchivedEnd> => {
  const db = createArchiveFile(path)
  const stop = new AbortController()
  let events = 0
  let end: Checkpoint | null = null
  try {
    const insert = db.prepare('INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
    db.exec('BEGIN')
    for await (const item of log.subscribe('start', 'all', AbortSignal.any([signal, stop.signal]))) {
      if (item.kind === 'caught-up') break
      const { position, stream, revision, id, type, data, metadata, at } = item
      insert.run(position, stream, revision, id, type, JSON.stringify(data), JSON.stringify(metadata), at)
      events += 1
      end = { position, eventId: id }
      onEvent?.(item)
      if (events % eventsPerTransaction === 0) db.exec('COMMIT; BEGIN')
    }
    signal.throwIfAborted()
    db.exec('COMMIT')
    return { events, end }
  } finally {
    stop.abort()
    db.close()
  }
}
