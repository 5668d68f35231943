import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newEvent } from '@portal/platform/testing/event-store/contract/harness'
import { createLockWait } from '../../files/lock-wait.ts'
import { AppendOutcomeUnknownError, WriteFailedError } from '../errors.ts'
import type { ExpectedRevision, NewEvent } from '../port.ts'
import { serializeAppend } from '../serialize-append.ts'
import { type GroupCommit, createGroupCommit } from './group-commit.ts'
import { openLogFile, watchLogDamage } from './log-file.ts'

let folder: string
let db: DatabaseSync
let commits: GroupCommit
let ends: number[]

const commitTo = (database: DatabaseSync): GroupCommit =>
  createGroupCommit({
    damage: watchLogDamage(':memory:'),
    db: database,
    file: 'events.db',
    lock: createLockWait('events.db'),
    checkFile: () => undefined,
    now: () => new Date(),
    onEnded: (lastRow) => void ends.push(lastRow),
  })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'group-commit-'))
  db = openLogFile(join(folder, 'events.db'))
  ends = []
  commits = commitTo(db)
})
afterEach(async () => {
  db.close()
  await rm(folder, { recursive: true })
})

const append = (stream: string, expected: ExpectedRevision, events: readonly NewEvent[]) =>
  commits.append(stream, expected, serializeAppend(stream, expected, events))

const large = () => newEvent({ text: 'x'.repeat(100_000) })
const pagesNow = (): number => Number(db.prepare('PRAGMA page_count').get()?.['page_count'])
const rows = (): unknown => db.prepare('SELECT count(*) AS count FROM events').get()?.['count']

describe('when the disk is full', () => {
  test('rejects all appends of the transaction, records none of them, and later ones succeed', async () => {
    const first = newEvent()
    await append('cat-a', 'no-stream', [first])
    db.exec(`PRAGMA max_page_count = ${pagesNow() + 10}`)
    const outcomes = await Promise.allSettled([
      append('cat-a', 0, [newEvent()]),
      append('cat-b', 'any', [large()]),
      append('cat-a', 1, [newEvent()]),
    ])
    const refused = { status: 'rejected', reason: expect.any(WriteFailedError) }
    expect(outcomes).toMatchObject([refused, refused, refused])
    expect(rows()).toBe(1)
    expect(db.isTransaction).toBe(false)
    expect(ends.at(-1)).toBe(1)

    expect(await append('cat-a', 0, [newEvent()])).toMatchObject({ revision: 1, position: '0000000000000002' })
    db.exec('PRAGMA max_page_count = 1000000')
    expect(await append('cat-b', 'no-stream', [large()])).toMatchObject({ revision: 0, position: '0000000000000003' })
    expect(ends.at(-1)).toBe(3)
  })

  test('check resolves once writing works again', async () => {
    db.exec(`PRAGMA max_page_count = ${pagesNow() + 10}`)
    const says = 'The event store cannot write (events.db: database or disk is full)'
    await expect(append('cat-b', 'any', [large()])).rejects.toThrow(says)
    db.exec('PRAGMA query_only = ON')
    await expect(commits.check()).rejects.toThrow('readonly')
    db.exec('PRAGMA query_only = OFF')
    await expect(commits.check()).resolves.toBeUndefined()
  })
})

/** A database whose first COMMIT ends with `ending` and then fails with the result code. */
const failingOnce = (ending: 'COMMIT' | 'ROLLBACK', errcode: number): DatabaseSync => {
  let isFirst = true
  return new Proxy(db, {
    get: (target, name) => {
      if (name === 'isTransaction') return target.isTransaction
      if (name === 'exec') return target.exec.bind(target)
      return (sql: string) => {
        const statement = target.prepare(sql)
        if (sql !== 'COMMIT') return statement
        return {
          run: () => {
            if (!isFirst) return statement.run()
            isFirst = false
            target.exec(ending)
            throw Object.assign(new Error('a test did it'), { errcode })
          },
        }
      }
    },
  })
}

/** SQLITE_IOERR_FSYNC, SQLITE_FULL, SQLITE_READONLY and SQLITE_IOERR_WRITE. */
const [fsyncFailed, diskFull, readOnly, writeFailed] = [1034, 13, 8, 778]

describe('when a commit is refused', () => {
  test.each([diskFull, readOnly, writeFailed])(
    '[O7] with result code %i, its appends are known not to be recorded',
    async (errcode) => {
      commits = commitTo(failingOnce('ROLLBACK', errcode))
      const events = [newEvent()]
      await expect(append('cat-a', 'no-stream', events)).rejects.toThrow(WriteFailedError)
      expect(rows()).toBe(0)
      expect(await append('cat-a', 'no-stream', events)).toMatchObject({ revision: 0 })
    },
  )
})

describe('when a commit succeeds but reports an error', () => {
  test('includes its events in the log, and answers a repetition with the first answer', async () => {
    commits = commitTo(failingOnce('COMMIT', fsyncFailed))
    const events = [newEvent(), newEvent()]
    await expect(append('cat-a', 'no-stream', events)).rejects.toThrow(AppendOutcomeUnknownError)
    expect(ends).toEqual([2])
    expect(await append('cat-a', 'no-stream', events)).toMatchObject({ revision: 1, position: '0000000000000002' })
    expect(await append('cat-a', 1, [newEvent()])).toMatchObject({ revision: 2 })
    expect(ends.at(-1)).toBe(3)
  })
})

describe('appended events', () => {
  test('are on disk before the append resolves', async () => {
    const answer = await append('cat-a', 'any', [newEvent()])
    expect(answer).toMatchObject({ kind: 'appended' })
    expect(db.isTransaction).toBe(false)
    expect(rows()).toBe(1)
  })
})
