import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { inject } from 'vitest'
import { openSqliteEventStore } from '../event-store/sqlite.ts'
import { openSqliteReadModel } from '../read-model/sqlite.ts'
import { busContract } from '@portal/platform/testing/bus/contract'
import { parseKafkaAddress } from './kafka/address.ts'
import { openKafkaAdmin } from './kafka/admin.ts'
import { startKafkaLogPublisher } from './kafka/producer/log-publisher.ts'
import { openKafkaBus } from './kafka.ts'
import type { Bus } from './port.ts'
import { removeTopics, whenPublished } from '@portal/platform/testing/bus/kafka/topics'
import { testPublisher } from '@portal/platform/testing/bus/log-with-messages'

const logger = pino({ level: 'silent' })

busContract('kafka', async () => {
  const url = `${inject('kafkaUrl')}?prefix=${randomUUID()}.`
  const folder = await mkdtemp(join(tmpdir(), 'bus-'))
  const eventStore = openSqliteEventStore({ path: join(folder, 'events.db') })
  const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'control' })
  const publishers = [testPublisher]
  const logPublisher = await startKafkaLogPublisher({
    url,
    service: 'test',
    eventStore,
    publishers,
    control: readModel,
    logger,
  })
  const admin = openKafkaAdmin(parseKafkaAddress(url), logger)
  const buses: Bus[] = []
  let total = 0
  return {
    async produce(messages) {
      await eventStore.append('test-1', 'any', [{ id: randomUUID(), type: 'Tested', data: { messages } }])
      total += messages.length
      await whenPublished(admin, url, total)
    },
    async open() {
      const bus = await openKafkaBus({ url, log: eventStore, publishers, logger })
      buses.push(bus)
      return bus
    },
    async dispose() {
      await Promise.all(buses.map((bus) => bus.close()))
      await logPublisher.stop()
      await eventStore.close()
      await readModel.close()
      await admin.close()
      await removeTopics(url)
      await rm(folder, { recursive: true })
    },
  }
})
