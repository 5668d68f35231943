import { once } from 'node:events'
import { pino } from 'pino'
import { holdLease } from '../../src/bus/lease.ts'
import { openSqliteReadModel } from '../../src/read-model/sqlite.ts'

/** A process that competes for a lease and reports when it leads and when it ends: `lease-process.ts FOLDER LENGTH_MS`. */
const [folder = '', lengthMs = ''] = process.argv.slice(2)
const lease = holdLease({
  readModel: openSqliteReadModel({ path: folder, namespace: 'control' }),
  name: 'test',
  lengthMs: Number(lengthMs),
  logger: pino({ level: 'silent' }),
  async onLead(signal) {
    process.send?.('leads')
    await once(signal, 'abort')
    process.send?.('ends')
  },
})
/** The parent has gone. */
process.on('disconnect', () => void lease.stop().then(() => process.exit()))
