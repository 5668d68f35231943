import { pino } from 'pino'
import { openKafkaBus } from '../../kafka.ts'

/** A process with a member of a test's group, to be killed: `member-process.ts URL GROUP`. */
const [url = '', group = ''] = process.argv.slice(2)
const bus = await openKafkaBus({ url, logger: pino({ level: 'silent' }) })
await bus.consume({
  group,
  topics: ['notifications'],
  loadCursors: async () => ({}),
  // It takes messages and gets nothing done.
  async handle() {
    process.send?.('has messages')
    await new Promise(() => {})
  },
})
