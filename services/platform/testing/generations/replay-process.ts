import { join } from 'node:path'
import { pino } from 'pino'
import { openSqliteEventLog } from '../../src/event-store/sqlite.ts'
import { replay } from '../../src/generations/replay.ts'
import { dropSqliteReadModel, openSqliteReadModel } from '../../src/read-model/sqlite.ts'
import { tally } from '../projection/tally.ts'
import { notePublisher } from './serving-tally.ts'

/** A replay that stops its own process at a step, as SIGSTOP from outside would: `replay-process.ts FOLDER STEP`. */
const [folder = '', stopsAt = ''] = process.argv.slice(2)
let hasStopped = false
const stopAt = (step: string) => {
  if (step !== stopsAt || hasStopped) return
  hasStopped = true
  process.kill(process.pid, 'SIGSTOP')
}
const outcome = await replay({
  log: openSqliteEventLog(join(folder, 'events.db')),
  publishers: [notePublisher],
  open: async (namespace) => openSqliteReadModel({ path: folder, namespace }),
  drop: (namespace) => dropSqliteReadModel({ path: folder, namespace }),
  busIsLog: true,
  logger: pino({ level: 'silent' }),
  projections: [tally()],
  stamp: 'next',
  force: false,
  signal: new AbortController().signal,
  onProgress: ({ step }) => stopAt(step),
  onStep: stopAt,
}).then(
  ([result]) => result?.outcome ?? 'nothing replayed',
  (error: unknown) => (error instanceof Error ? error.message : String(error)),
)
process.send?.(outcome)
process.disconnect?.()
