import { pino } from 'pino'
import { openSqliteEventLog } from '../../../src/event-store/sqlite.ts'
import { openSqliteReadModel } from '../../../src/read-model/sqlite.ts'
import { startKafkaFeed } from '../../../src/bus/kafka-feed.ts'
import { testPublisher } from './topics.ts'

/** A process that feeds a test's events to Kafka, to be killed: `feed-process.ts URL FOLDER EVENTS_FILE`. */
const [url = '', folder = '', eventsFile = ''] = process.argv.slice(2)
const feed = await startKafkaFeed({
  url,
  service: 'test',
  eventStore: openSqliteEventLog(eventsFile),
  publishers: [testPublisher],
  readModel: openSqliteReadModel({ path: folder, namespace: 'control' }),
  logger: pino({ level: 'silent' }),
})
const timer = setInterval(() => {
  if (!feed.isLeading()) return
  clearInterval(timer)
  process.send?.('leads')
}, 10)
