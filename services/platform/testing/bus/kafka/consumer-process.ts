import { pino } from 'pino'
import { openSqliteEventLog } from '../../../src/event-store/sqlite.ts'
import { openKafkaBus } from '../../../src/bus/kafka.ts'
import { testPublisher } from '../log-with-messages.ts'

/** A consumer process that a test kills: `consumer-process.ts URL GROUP EVENTS_FILE`. */
const [url = '', group = '', eventsFile = ''] = process.argv.slice(2)
const log = openSqliteEventLog(eventsFile)
const bus = await openKafkaBus({ url, log, publishers: [testPublisher], logger: pino({ level: 'silent' }) })
await bus.consume({
  group,
  topics: ['notifications'],
  loadCursors: async () => ({}),
  // Receives messages and never completes.
  async handle() {
    process.send?.('has messages')
    await new Promise(() => {})
  },
})
