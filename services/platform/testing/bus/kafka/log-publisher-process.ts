import { pino } from 'pino'
import { openSqliteEventLog } from '../../../src/event-store/sqlite.ts'
import { openSqliteReadModel } from '../../../src/read-model/sqlite.ts'
import { startKafkaLogPublisher } from '../../../src/bus/kafka/producer/log-publisher.ts'
import { testPublisher } from '../log-with-messages.ts'

/** A log publisher process that a test kills: `log-publisher-process.ts URL FOLDER EVENTS_FILE`. */
const [url = '', folder = '', eventsFile = ''] = process.argv.slice(2)
const logPublisher = await startKafkaLogPublisher({
  url,
  service: 'test',
  eventStore: openSqliteEventLog(eventsFile),
  publishers: [testPublisher],
  control: openSqliteReadModel({ path: folder, namespace: 'control' }),
  logger: pino({ level: 'silent' }),
})
const timer = setInterval(() => {
  if (!logPublisher.isLeading()) return
  clearInterval(timer)
  process.send?.('leads')
}, 10)
