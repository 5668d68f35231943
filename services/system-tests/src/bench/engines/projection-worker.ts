import { once } from 'node:events'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { notificationsPublishers } from '@portal/notifications/projections'
import { runProjection } from '@portal/platform/generations/run-projection'
import { createLogger } from '@portal/platform/observability/logger'
import { type BusParts, openBus, openReadModel } from '@portal/platform/adapters/open-adapters'

/**
 * A process that runs the inbox projection between Kafka and Redis. Reports the number of applied messages to its
 * parent, and exits with it.
 */
const [busUrl = '', readModelUrl = ''] = process.argv.slice(2)
const logger = createLogger({ level: 'warn' })
/** An empty log, so that all messages come from Kafka. */
const emptyLog: BusParts['eventStore'] = {
  async *subscribe(_after, _filter, signal) {
    yield { kind: 'caught-up', position: 'start' }
    if (!signal.aborted) await once(signal, 'abort')
  },
  holds: async () => true,
  end: async () => 'start',
  check: async () => undefined,
}
const bus = await openBus(busUrl, { eventStore: emptyLog, publishers: notificationsPublishers, logger })
const readModel = await openReadModel(readModelUrl, 'scaled')
const running = await runProjection({ projection: inboxProjection, bus, readModel, logger })
await running.caughtUp
const report = () => process.send?.({ applied: running.counts().applied })
report()
setInterval(report, 20)
process.on('disconnect', () => process.exit(0))
