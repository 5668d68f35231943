import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { openKafkaBus } from '../../../src/bus/kafka.ts'
import type { Log } from '../../../src/bus/kafka/consumer/log-catch-up.ts'
import { startKafkaLogPublisher } from '../../../src/bus/kafka/producer/log-publisher.ts'
import type { Bus, Consumer, Cursor, Delivery } from '../../../src/bus/port.ts'
import type { LogPublisher, Publisher } from '../../../src/bus/publisher.ts'
import { openSqliteEventStore } from '../../../src/event-store/sqlite.ts'
import { openSqliteReadModel } from '../../../src/read-model/sqlite.ts'
import { testPublisher } from '../log-with-messages.ts'

const logger = pino({ level: process.env['LOG_LEVEL'] ?? 'silent' }, pino.destination(2))

/** An event store with log publishers and buses on one Kafka. `close` closes everything it opened. */
export const openTestPortal = async (url: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'kafka-test-'))
  const eventsFile = join(folder, 'events.db')
  const eventStore = openSqliteEventStore({ path: eventsFile })
  const readModel = openSqliteReadModel({ path: folder, namespace: 'control' })
  const logPublishers: LogPublisher[] = []
  const buses: Bus[] = []
  return {
    url,
    folder,
    eventsFile,
    eventStore,
    readModel,
    /** Records an event that becomes a message for each key. */
    async append(n: number, keys: readonly string[]) {
      const messages = keys.map((key) => ({ topic: 'notifications', key, type: 'Counted', data: { n } }))
      await eventStore.append('test-1', 'any', [{ id: randomUUID(), type: 'Tested', data: { messages } }])
    },
    async startLogPublisher(parts: Partial<Parameters<typeof startKafkaLogPublisher>[0]> = {}): Promise<LogPublisher> {
      const publishers = [testPublisher]
      const logPublisher = await startKafkaLogPublisher({
        url,
        service: 'test',
        eventStore,
        publishers,
        control: readModel,
        logger,
        ...parts,
      })
      logPublishers.push(logPublisher)
      return logPublisher
    },
    async openBus(options: { log?: Log; hasLog?: boolean; publishers?: readonly Publisher[] } = {}): Promise<Bus> {
      const { log = eventStore, hasLog = true, publishers = [testPublisher] } = options
      const bus = await openKafkaBus({ url, publishers, logger, ...(hasLog && { log }) })
      buses.push(bus)
      return bus
    },
    async close() {
      await Promise.all(buses.map((bus) => bus.close()))
      await Promise.all(logPublishers.map((logPublisher) => logPublisher.stop()))
      await eventStore.close()
      await readModel.close()
      await rm(folder, { recursive: true })
    },
  }
}
export type TestPortal = Awaited<ReturnType<typeof openTestPortal>>

const numberOf = ({ envelope: { data } }: Delivery): number => {
  if (typeof data === 'object' && data !== null && 'n' in data && typeof data.n === 'number') return data.n
  throw new Error('Not a counted message')
}

/**
 * Records what the members of a group have applied. Like a projection, it skips a message at or before the last applied position
 * of its key. So a message that arrives too late is missing at the end.
 */
export const createTally = (options: Partial<Consumer> = {}) => {
  const applied = new Map<string, number[]>()
  const positions = new Map<string, string>()
  const cursors: Record<string, Cursor> = {}
  let deliveries = 0
  const consumer: Consumer = {
    group: 'tally',
    topics: ['notifications'],
    loadCursors: async () => ({ ...cursors }),
    async handle(batch) {
      for (const delivery of batch) {
        const { key, position } = delivery.envelope
        deliveries++
        cursors[delivery.busPartition] = delivery.cursor
        if (position <= (positions.get(key) ?? '')) continue
        positions.set(key, position)
        applied.set(key, [...(applied.get(key) ?? []), numberOf(delivery)])
      }
    },
    ...options,
  }
  return { consumer, applied, cursors, deliveries: () => deliveries }
}

/** Starts a program of this folder. Resolves when it has sent its first message. */
export const forkUntilReady = async (program: string, args: readonly string[]): Promise<ChildProcess> => {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args, { execArgv: [] })
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code} before it was ready`)
  })
  await Promise.race([once(child, 'message'), ended])
  ended.catch(() => undefined)
  return child
}

/** Sends SIGKILL and waits for the exit. */
export const killNow = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGKILL')
  await exited
}
