import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { EventStore } from '../../src/event-store/port.ts'
import { openSqliteEventStore } from '../../src/event-store/sqlite.ts'
import type { Publisher } from '../../src/bus/publisher.ts'

const messagesSchema = z.object({
  messages: z.array(
    z.object({
      topic: z.enum(['auth', 'catalog', 'notifications']),
      key: z.string(),
      type: z.string(),
      data: z.object({ n: z.number() }),
    }),
  ),
})

/** Publishes the messages that an event of category 'test' contains. */
export const testPublisher: Publisher = {
  category: 'test',
  topics: ['auth', 'catalog', 'notifications'],
  publish: ({ data }) => messagesSchema.parse(data).messages,
}

export const counted = (n: number) => ({
  messages: [{ topic: 'notifications', key: 'k', type: 'Counted', data: { n } }],
})

export const appendTo = (eventStore: EventStore, stream: string, data: object) =>
  eventStore.append(stream, 'any', [{ id: randomUUID(), type: 'Tested', data }])

/** A log in a temporary folder, with a backup. */
export const tempLog = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bus-'))
  const path = join(folder, 'events.db')
  const backup = join(folder, 'backup.db')
  return {
    open: () => openSqliteEventStore({ path }),
    backUp() {
      const db = new DatabaseSync(path, { readOnly: true })
      db.exec(`VACUUM INTO '${backup}'`)
      db.close()
    },
    /** The store must be closed. */
    openBackup: () => openSqliteEventStore({ path: backup }),
    remove: () => rm(folder, { recursive: true }),
  }
}

/** A store that another log can replace while it is open, as in EventStoreDB. */
export const replaceableStore = (first: EventStore) => {
  let current = first
  let replaced = new AbortController()
  const store: EventStore = {
    append: (...given) => current.append(...given),
    read: (...given) => current.read(...given),
    async *subscribe(after, filter, signal) {
      yield* current.subscribe(after, filter, AbortSignal.any([signal, replaced.signal]))
    },
    holds: (checkpoint) => current.holds(checkpoint),
    end: () => current.end(),
    check: () => current.check(),
    close: async () => undefined,
  }
  const replaceWith = (other: EventStore): void => {
    current = other
    replaced.abort()
    replaced = new AbortController()
  }
  return { store, replaceWith }
}
