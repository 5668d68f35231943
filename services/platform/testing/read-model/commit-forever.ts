import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSqliteReadModel } from '../../src/read-model/sqlite.ts'

/** Commits 1, 2, 3 … and reports each number, until a test kills the process. */
const [, , path] = process.argv
if (path === undefined) throw new Error('usage: commit-forever.ts FOLDER')
// Ends with the test process, also if the test fails.
process.on('disconnect', () => process.exit())
const readModel = openSqliteReadModel({ path, namespace: 'main' })
const positionOf = (n: number) => (n === 0 ? undefined : String(n).padStart(9, '0'))

for (let n = 1; ; n++) {
  await readModel.commit({
    projection: 'a',
    partition: 'p',
    expected: positionOf(n - 1),
    position: String(n).padStart(9, '0'),
    writes: [
      { op: 'put', collection: 'last', key: 'n', value: n },
      { op: 'add', list: 'numbers', member: `m${n}`, score: n, value: 'x'.repeat(500) },
    ],
  })
  process.send?.(n)
  // Commits are synchronous. Without a turn of the event loop nothing would be sent.
  await nextTurn()
}
