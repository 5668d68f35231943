import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { copyFile, mkdtemp, open, readdir, rename, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readModelContract } from '@portal/platform/testing/read-model/contract'
import { ReadModelDamagedError } from './errors.ts'
import type { ReadModel, Write } from './port.ts'
import { dropSqliteReadModel, openSqliteReadModel } from './sqlite.ts'
import { until } from '../../testing/until.ts'

readModelContract('sqlite', async () => {
  const path = await mkdtemp(join(tmpdir(), 'read-model-'))
  const opened: ReadModel[] = []
  return {
    async open(namespace) {
      const readModel = openSqliteReadModel({ path, namespace })
      opened.push(readModel)
      return readModel
    },
    async dispose() {
      await Promise.all(opened.map((readModel) => readModel.close()))
      await rm(path, { recursive: true })
    },
  }
})

describe('the SQLite read model', { timeout: 30_000 }, () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'read-model-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  it('RM-40 rejects a namespace that would leave its folder', () => {
    for (const namespace of ['../x', '', 'a/b', 'A', '.'])
      expect(() => openSqliteReadModel({ path: folder, namespace })).toThrow('not valid')
  })

  it('RM-41 rejects a file of another layout without changing it', () => {
    const file = join(folder, 'main.db')
    const other = new DatabaseSync(file)
    other.exec('CREATE TABLE precious (x); PRAGMA user_version = 999')
    other.close()
    expect(() => openSqliteReadModel({ path: folder, namespace: 'main' })).toThrow('layout 999')
    const again = new DatabaseSync(file)
    expect(again.prepare('SELECT name FROM sqlite_schema').all()).toEqual([
      expect.objectContaining({ name: 'precious' }),
    ])
    again.close()
  })

  it('RM-42 keeps positions and writes consistent when the process ends', async () => {
    const child = fork(join(import.meta.dirname, '../../testing/read-model/commit-forever.ts'), [folder], {
      stdio: 'inherit',
    })
    const exited = once(child, 'exit')
    await new Promise<void>((resolve, reject) => {
      child.on('message', (commits) => {
        if (typeof commits === 'number' && commits >= 200) resolve()
      })
      child.on('exit', (code) => reject(new Error(`ended by itself with ${code}`)))
    })
    child.kill('SIGKILL')
    await exited
    const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
    const position = await readModel.position('a', 'p')
    const newest = await readModel.range('p', 'numbers', { order: 'descending', limit: 2 })
    expect(Number(position)).toBeGreaterThanOrEqual(200)
    expect(await readModel.get({ partition: 'p', collection: 'last', key: 'n' })).toBe(Number(position))
    expect(newest.map(({ score }) => score)).toEqual([Number(position), Number(position) - 1])
    await readModel.close()
  })

  it('RM-51 reopens a dropped namespace empty', async () => {
    const fill = async (namespace: string) => {
      const readModel = openSqliteReadModel({ path: folder, namespace })
      await readModel.putImmutable({ partition: 'p', collection: 'c', key: 'k' }, namespace)
      return readModel
    }
    const kept = await fill('kept')
    await (await fill('dropped')).close()
    await dropSqliteReadModel({ path: folder, namespace: 'dropped' })
    await dropSqliteReadModel({ path: folder, namespace: 'never-made' })
    expect(await readdir(folder)).not.toContain('dropped.db')
    const again = openSqliteReadModel({ path: folder, namespace: 'dropped' })
    expect(await again.get({ partition: 'p', collection: 'c', key: 'k' })).toBeUndefined()
    expect(await kept.get({ partition: 'p', collection: 'c', key: 'k' })).toBe('kept')
    await Promise.all([again.close(), kept.close()])
  })

  describe('a damaged file', () => {
    const fill = async () => {
      const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
      const value = 'x'.repeat(1_000)
      for (let n = 1; n <= 20; n++) {
        const [expected, position] = [n - 1, n].map((k) => (k === 0 ? undefined : String(k).padStart(3, '0')))
        const writes = Array.from({ length: 100 }, (_, i): Write[] => [
          { op: 'put', collection: 'c', key: `${n}-${i}`, value },
          { op: 'add', list: 'l', member: `${n}-${i}`, score: n * 100 + i, value },
        ]).flat()
        await readModel.commit({ projection: 'a', partition: 'p', expected, position: position ?? '', writes })
      }
      await readModel.close()
    }
    const overwrite = async (from: number, bytes: number) => {
      const file = await open(join(folder, 'main.db'), 'r+')
      await file.write(Buffer.alloc(bytes, 0xa5), 0, bytes, from)
      await file.close()
    }
    const readAll = async (readModel: ReadModel) => {
      for (let from = 0; from <= 2_100; from += 500) {
        await readModel.range('p', 'l', { from, to: from + 499, order: 'ascending', limit: 1_000 })
      }
      await readModel.digest('a', 'p')
    }
    const isDamaged = (error: unknown) => {
      expect(error).toBeInstanceOf(ReadModelDamagedError)
      expect(String(error)).toContain("Read model 'main' is damaged")
      return true
    }

    it('RM-54 is detected by the call that reads the damage, and rejects writes from then on', async () => {
      await fill()
      const size = statSync(join(folder, 'main.db')).size
      await overwrite(Math.floor(size / 2), 64 * 1024)
      const readModel = openSqliteReadModel({ path: folder, namespace: 'main', integrityCheckAfterMs: 3_600_000 })
      await readModel.check()
      await expect(readAll(readModel)).rejects.toSatisfy(isDamaged)
      const writes = [
        () => readModel.commit({ projection: 'a', partition: 'q', expected: undefined, position: '1', writes: [] }),
        () => readModel.saveCursor('c', '0', '1'),
        () => readModel.putImmutable({ partition: 'q', collection: 'c', key: 'k' }, 1),
        () => readModel.fence(),
        () => readModel.check(),
      ]
      for (const write of writes) await expect(write()).rejects.toSatisfy(isDamaged)
      expect(await readModel.position('a', 'p')).toBe('020')
      await readModel.close()
    })

    it('RM-54 is detected without a read', async () => {
      await fill()
      const size = statSync(join(folder, 'main.db')).size
      await overwrite(Math.floor(size / 2), 64 * 1024)
      const readModel = openSqliteReadModel({ path: folder, namespace: 'main', integrityCheckAfterMs: 0 })
      await until(() => expect(readModel.check()).rejects.toSatisfy(isDamaged))
      await readModel.close()
    })

    it('RM-54 is rejected if nothing can be read, and can be dropped', async () => {
      await fill()
      await overwrite(0, 8 * 1024)
      expect(() => openSqliteReadModel({ path: folder, namespace: 'main' })).toThrow(ReadModelDamagedError)
      await dropSqliteReadModel({ path: folder, namespace: 'main' })
      const readModel = openSqliteReadModel({ path: folder, namespace: 'main', integrityCheckAfterMs: 0 })
      expect(await readModel.partitions()).toEqual([])
      await readModel.close()
    })

    it('RM-54 is rejected or detected if its end is cut off', async () => {
      await fill()
      await truncate(join(folder, 'main.db'), Math.floor(statSync(join(folder, 'main.db')).size / 3))
      const work = async () => {
        const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
        await readAll(readModel).finally(() => readModel.close())
      }
      await expect(work()).rejects.toSatisfy(isDamaged)
    })
  })

  describe('while another process holds the lock of its file', () => {
    const lockedBy = (file: string): DatabaseSync => {
      const other = new DatabaseSync(file)
      other.exec('BEGIN IMMEDIATE')
      return other
    }
    const put = (readModel: ReadModel) =>
      readModel.commit({ projection: 'a', partition: 'p', expected: undefined, position: '1', writes: [] })

    it('RM-55 a write waits without blocking the event loop, and reads are answered', async () => {
      const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
      await readModel.saveCursor('c', '0', '1')
      const other = lockedBy(join(folder, 'main.db'))
      const settled: string[] = []
      const writes = [
        put(readModel).then((outcome) => settled.push(outcome)),
        readModel.saveCursor('c', '0', '2').then(() => settled.push('2')),
        readModel.saveCursor('c', '0', '3').then(() => settled.push('3')),
      ]
      for (let turns = 0; turns < 10; turns++) await nextTurn()
      expect(await readModel.loadCursors('c')).toEqual({ '0': '1' })
      expect(settled).toEqual([])
      other.exec('ROLLBACK')
      await Promise.all(writes)
      expect(settled).toEqual(['committed', '2', '3'])
      expect(await readModel.loadCursors('c')).toEqual({ '0': '3' })
      other.close()
      await readModel.close()
    })

    it('RM-55 writes and check reject with the file, and it can still be opened', async () => {
      const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
      const file = join(folder, 'main.db')
      const other = lockedBy(file)
      const says = `${file} is locked by another process: end that one (fuser ${file} names it)`
      await expect(put(readModel)).rejects.toThrow(says)
      await expect(readModel.check()).rejects.toThrow(says)
      await openSqliteReadModel({ path: folder, namespace: 'main' }).close()
      other.close()
      await expect(readModel.check()).resolves.toBeUndefined()
      expect(await put(readModel)).toBe('committed')
      await readModel.close()
    })
  })

  it('RM-57 a write that the disk refuses rejects with the file and the remedy', async () => {
    const fillUp = `
      const [, path, adapter] = process.argv
      const { openSqliteReadModel } = await import(adapter)
      const readModel = openSqliteReadModel({ path, namespace: 'main' })
      const value = 'x'.repeat(1_000_000)
      const put = (n) => readModel.putImmutable({ partition: 'p', collection: 'c', key: String(n) }, value)
      for (let n = 0; n < 64; n++) await put(n).catch((error) => {
        console.log(JSON.stringify([error.message, error.isUserFacing, error.isTransient]))
        process.exit()
      })`
    const node = [
      process.execPath,
      '--input-type=module',
      '--eval',
      fillUp,
      folder,
      new URL('./sqlite.ts', import.meta.url).href,
    ]
    const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -f 8192 && exec "$@"', 'sh', ...node])
    const says = `${join(folder, 'main.db')} cannot be written (disk I/O error): check its disk and the room on it`
    expect(JSON.parse(stdout)).toEqual([says, true, true])
  })

  it('RM-56 check rejects once the file was deleted or replaced, until it is back', async () => {
    const readModel = openSqliteReadModel({ path: folder, namespace: 'main' })
    const [file, aside] = [join(folder, 'main.db'), join(folder, 'aside.db')]
    const remedy = 'restart the portal, which rebuilds it from the event store'
    await rename(file, aside)
    await expect(readModel.check()).rejects.toThrow(`${file} was deleted while it is in use: ${remedy}`)
    await copyFile(aside, file)
    await expect(readModel.check()).rejects.toThrow(`${file} was replaced while it is in use: ${remedy}`)
    await rename(aside, file)
    await expect(readModel.check()).resolves.toBeUndefined()
    await readModel.close()
  })

  it('RM-56 check names a replaced file also after damage was found in the new one', async () => {
    const readModel = openSqliteReadModel({ path: folder, namespace: 'main', integrityCheckAfterMs: 1 })
    const file = join(folder, 'main.db')
    // At once: the check of the whole file begins in a later turn.
    rmSync(`${file}-wal`)
    renameSync(file, join(folder, 'aside.db'))
    writeFileSync(file, 'no database')
    const write = () => readModel.putImmutable({ partition: 'p', collection: 'c', key: 'k' }, 1)
    await until(() => expect(write()).rejects.toThrow(ReadModelDamagedError))
    await expect(readModel.check()).rejects.toThrow(`${file} was replaced while it is in use`)
    await readModel.close()
  })

  describe('under constant writing', () => {
    const mib = 1024 * 1024
    /** Each differs from the last one in every page. */
    const valueOf = (n: number) => String.fromCodePoint(97 + (n % 26)).repeat(2_000)
    const positionOf = (n: number) => String(n).padStart(4, '0')
    const logBytes = () => statSync(join(folder, 'main.db-wal')).size

    /** Makes the commits after `first` up to `last`, of 2 MiB each. Returns the largest size of the write-ahead log. */
    const commitUpTo = async (readModel: ReadModel, first: number, last: number) => {
      let largest = 0
      for (let n = first + 1; n <= last; n++) {
        const writes = Array.from(
          { length: 500 },
          (_, i) => ({ op: 'put', collection: 'c', key: `${i}`, value: valueOf(n) }) as const,
        )
        const expected = n === 1 ? undefined : positionOf(n - 1)
        const commit = { projection: 'a', partition: 'p', expected, position: positionOf(n), writes }
        expect(await readModel.commit(commit)).toBe('committed')
        expect(await readModel.position('a', 'p')).toBe(positionOf(n))
        largest = Math.max(largest, logBytes())
      }
      return largest
    }
    const openMain = () => openSqliteReadModel({ path: folder, namespace: 'main', integrityCheckAfterMs: 3_600_000 })

    it('RM-43 keeps its write-ahead log below 32 MiB, and loses nothing in checkpoints', async () => {
      const readModel = openMain()
      expect(await commitUpTo(readModel, 0, 50)).toBeLessThan(32 * mib)
      await readModel.close()
      expect(existsSync(join(folder, 'main.db-wal'))).toBe(false)
      const again = openMain()
      expect(await again.get({ partition: 'p', collection: 'c', key: '499' })).toBe(valueOf(50))
      await again.close()
    })

    it('RM-43 goes on during a long read, and empties the write-ahead log after it', async () => {
      const readModel = openMain()
      await commitUpTo(readModel, 0, 1)
      const reader = new DatabaseSync(join(folder, 'main.db'), { readOnly: true })
      reader.exec('BEGIN; SELECT count(*) FROM documents')
      expect(await commitUpTo(readModel, 1, 30)).toBeGreaterThan(50 * mib)
      reader.close()
      await commitUpTo(readModel, 30, 40)
      expect(logBytes()).toBeLessThan(32 * mib)
      await readModel.close()
    })
  })
})
