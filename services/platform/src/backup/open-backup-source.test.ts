import { existsSync } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { copySqliteFile, DamagedDatabaseError } from './open-backup-source.ts'

let folder: string
let source: string
let target: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'copy-'))
  source = join(folder, 'source.db')
  target = join(folder, 'target.db')
})
afterEach(() => rm(folder, { recursive: true }))

const rows = 5_000

/** Makes a database in WAL mode, like the portal's. */
const makeSource = (): DatabaseSync => {
  const db = new DatabaseSync(source)
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (n INTEGER PRIMARY KEY, text TEXT UNIQUE)')
  const insert = db.prepare('INSERT INTO numbers (text) VALUES (?)')
  db.exec('BEGIN')
  for (let n = 0; n < rows; n++) insert.run(`number ${n}`)
  db.exec('COMMIT')
  return db
}
const countIn = (path: string): unknown => {
  const db = new DatabaseSync(path, { readOnly: true })
  const count = db.prepare('SELECT count(*) AS count FROM numbers').get()?.['count']
  db.close()
  return count
}

describe('a copy', () => {
  it('includes the write-ahead log, and is one private file', async () => {
    const db = makeSource()
    await copySqliteFile(source, target)
    expect(countIn(target)).toBe(rows)
    expect((await stat(target)).mode & 0o777).toBe(0o600)
    expect(['-wal', '-shm', '-journal'].filter((suffix) => existsSync(target + suffix))).toEqual([])
    db.close()
  })

  it('completes during continuous writes to the source', async () => {
    const db = makeSource()
    const insert = db.prepare('INSERT INTO numbers (text) VALUES (?)')
    let isDone = false
    const writing = (async () => {
      for (let n = 0; !isDone; n++) {
        insert.run(`more ${n}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    await copySqliteFile(source, target)
    isDone = true
    await writing
    expect(countIn(target)).toBeGreaterThanOrEqual(rows)
    db.close()
  })
})

it('a copy of a database with a damaged page, or a damaged header, fails', async () => {
  makeSource().close()
  for (const offset of [20 * 4_096, 0]) {
    const file = await open(source, 'r+')
    await file.write(Buffer.alloc(4_096, 0x5a), 0, 4_096, offset)
    await file.close()
    await expect(copySqliteFile(source, target)).rejects.toThrow(DamagedDatabaseError)
  }
})
