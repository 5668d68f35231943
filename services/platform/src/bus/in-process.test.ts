import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { z } from 'zod'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { busContract } from './contract.ts'
import { openInProcessBus } from './in-process.ts'
import type { Bus } from './port.ts'
import type { Publisher } from './publisher.ts'

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
const publisher: Publisher = {
  category: 'test',
  publish: ({ data }) => messagesSchema.parse(data).messages,
}
const logger = pino({ level: 'silent' })

const tempStore = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bus-'))
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  const append = (stream: string, data: object) =>
    eventStore.append(stream, 'any', [{ id: randomUUID(), type: 'Tested', data }])
  const dispose = async () => {
    await eventStore.close()
    await rm(folder, { recursive: true })
  }
  return { eventStore, append, dispose }
}

busContract('in-process', async () => {
  const { eventStore, append, dispose } = await tempStore()
  const buses: Bus[] = []
  return {
    async produce(messages) {
      await append('test-1', { messages })
    },
    async open() {
      const bus = await openInProcessBus({ eventStore, publishers: [publisher], logger })
      buses.push(bus)
      return bus
    },
    async dispose() {
      await Promise.all(buses.map((bus) => bus.close()))
      await dispose()
    },
  }
})
