import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSqliteReadModel } from '../../src/read-model/sqlite.ts'

/** A process to be killed: commits 1, 2, 3 … and says so, until it is. */
const [, , path] = process.argv
if (path === undefined) throw new Error('usage: commit-forever.ts FOLDER')
// Nobody is to be left behind by a test that fails.
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
  // Commits are done on the spot: without a turn of the loop nothing would ever be sent.
  await nextTurn()
}
