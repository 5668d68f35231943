import { Readable } from 'node:stream'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { runProjection } from '@portal/platform/projection/run-projection'
import { createLogger } from '@portal/platform/runtime/logger'
import { type BusParts, openBus, openReadModel } from '@portal/platform/runtime/wire'

/**
 * One worker of the inbox projection, between Kafka and Redis, as a process. Tells its parent how many messages it has applied, and
 * ends with it.
 */
const [busUrl = '', readModelUrl = ''] = process.argv.slice(2)
const logger = createLogger({ level: 'warn' })
/** The publishers and the store are for a bus that is the log's own tail, which Kafka is not. */
const noStore: BusParts['eventStore'] = {
  subscribe: () => Readable.from([]),
  end: async () => 'start',
  check: async () => undefined,
}
const bus = await openBus(busUrl, { eventStore: noStore, publishers: [], logger })
const readModel = await openReadModel(readModelUrl, 'scaled')
const running = await runProjection({ projection: inboxProjection, bus, readModel, logger })
await running.caughtUp
const report = () => process.send?.({ applied: running.counts().applied })
report()
setInterval(report, 20)
process.on('disconnect', () => process.exit(0))
