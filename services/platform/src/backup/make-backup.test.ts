import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { withDatabase } from '../files/database-file.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLogToEnd } from '../event-store/read-log-to-end.ts'
import { pruneBackups, withBackupFolder } from './backup-folder.ts'
import { openBackup } from './open-backup.ts'
import { backedUpTally, type BackedUpTally } from '@portal/platform/testing/backup/backed-up-tally'
import { collect } from '../../testing/backup/sample-backup.ts'
import { summarizeUserKeys } from './user-keys-file.ts'

let tallied: BackedUpTally
beforeEach(async () => {
  tallied = await backedUpTally()
})
afterEach(() => tallied.stop())

const noteSome = async (from: number, count: number) => {
  let last = ''
  for (let n = from; n < from + count; n++) last = await tallied.note(['a0', 'a1', 'b0'][n % 3] ?? 'a0', n)
  return last
}

const opened = async (path: string) => {
  const backup = await openBackup(path)
  if (!backup.ok) throw new Error(backup.message)
  return backup
}

describe('a backup', () => {
  it('BK-2 contains the log, the keys, and digests at positions within the log', async () => {
    await noteSome(0, 30)
    await tallied.untilApplied('b0', await tallied.note('b0', 99))
    const { path, manifest } = await tallied.backUp()
    const events = await collect(readLogToEnd(tallied.eventStore))
    const last = events.at(-1)
    expect(manifest).toMatchObject({
      store: 'sqlite',
      log: { events: events.length, end: { position: last?.position, eventId: last?.id } },
      masterKey: tallied.masterKey,
      people: { keys: 3, erased: 0 },
    })
    expect(Object.keys(manifest.readModels[0]?.partitions ?? {}).toSorted()).toEqual(['a', 'b'])
    const { openLog, userKeysFile } = await (await opened(path)).unpack(join(tallied.folder, 'unpacked'))
    const log = await openLog()
    expect(await collect(readLogToEnd(log))).toEqual(events)
    await log.close()
    expect(summarizeUserKeys(userKeysFile)).toEqual({ masterKey: tallied.masterKey, keys: 3, erased: 0 })
  })

  it('BK-2 BK-5 made during writes is equal when rebuilt', async () => {
    let isDone = false
    const writing = (async () => {
      for (let n = 0; !isDone; n++) await noteSome(n, 1)
    })()
    const paths: string[] = []
    for (let n = 0; n < 5; n++) paths.push((await tallied.backUp()).path)
    isDone = true
    await writing
    for (const path of paths) expect(await tallied.check(path)).toMatchObject({ ok: true, problems: [] })
  })

  it('BK-4 contains neither the master key nor the key of an erased user', async () => {
    await tallied.vault.erase('ben')
    const { path, manifest } = await tallied.backUp()
    expect(manifest.people).toEqual({ keys: 2, erased: 1 })
    const { userKeysFile } = await (await opened(path)).unpack(join(tallied.folder, 'unpacked'))
    const masterKey = (await readFile(tallied.masterKeyFile, 'utf8')).trim()
    const keys = await readFile(userKeysFile)
    expect(keys.includes(Buffer.from(masterKey, 'hex'))).toBe(false)
    expect(keys.includes(masterKey)).toBe(false)
  })

  it('BK-1 leaves only its file in the folder, and removes leftovers of a killed backup', async () => {
    await tallied.makeFolder()
    await writeFile(join(tallied.backups, '.portal-20261101t000000.partial'), 'half')
    await mkdir(join(tallied.backups, '.portal-20261101t000000.parts'))
    await writeFile(join(tallied.backups, '.portal-20261101t000000.parts', 'events.db'), 'half')
    await writeFile(join(tallied.backups, 'notes.txt'), 'mine')
    await tallied.backUp()
    expect((await readdir(tallied.backups)).toSorted()).toEqual([
      '.lock.db',
      'notes.txt',
      'portal-20261122t190838.backup',
    ])
  })

  it('BK-1 leaves nothing if it fails', async () => {
    const stop = new AbortController()
    const failing = tallied.backUp({
      signal: stop.signal,
      onProgress: ({ step }) => {
        if (step === 'compressing') stop.abort(new Error('Enough'))
      },
    })
    await expect(failing).rejects.toThrow('Enough')
    expect(await readdir(tallied.backups)).toEqual(['.lock.db'])
  })

  it('BK-1 runs one at a time', async () => {
    const held = withBackupFolder(tallied.backups, () => tallied.backUp())
    await expect(held).rejects.toThrow('Another command writes to')
  })

  const make = async (count: number) => {
    const made = []
    for (let n = 0; n < count; n++) made.push(await tallied.backUp())
    return made.map(({ path, manifest }) => ({ name: basename(path), fingerprint: manifest.masterKey }))
  }
  const left = async () => (await readdir(tallied.backups)).filter((name) => name.endsWith('.backup')).toSorted()
  const nameOf = (n: number) => `portal-20261122t1908${38 + n}.backup`

  it('prunes all but the newest', async () => {
    const [made] = (await make(4)).toReversed()
    if (made === undefined) throw new Error('nothing was made')
    const options = { made: made.name, keep: 2, fingerprint: made.fingerprint, failed: [] }
    expect(await pruneBackups(tallied.backups, options)).toEqual([nameOf(1), nameOf(0)])
    expect(await left()).toEqual([nameOf(2), nameOf(3)])
  })

  it('[O4] does not count a backup that failed its check, and keeps the good ones', async () => {
    const [made] = (await make(3)).toReversed()
    if (made === undefined) throw new Error('nothing was made')
    const options = { made: made.name, keep: 2, fingerprint: made.fingerprint, failed: [nameOf(1)] }
    expect(await pruneBackups(tallied.backups, options)).toEqual([])
    expect(await pruneBackups(tallied.backups, { ...options, keep: 1 })).toEqual([nameOf(1), nameOf(0)])
  })

  it('keeps the newest backup that passed a check, however many are newer', async () => {
    const [made] = (await make(5)).toReversed()
    if (made === undefined) throw new Error('nothing was made')
    const options = { made: made.name, keep: 2, fingerprint: made.fingerprint, failed: [nameOf(3)] }
    expect(await pruneBackups(tallied.backups, { ...options, passed: nameOf(1) })).toEqual([nameOf(0)])
    expect(await pruneBackups(tallied.backups, { ...options, passed: nameOf(2) })).toEqual([nameOf(1)])
  })

  it('[C3] removes no backup of another portal, and never the one that was just made', async () => {
    const [oldest] = await make(3)
    if (oldest === undefined) throw new Error('nothing was made')
    const options = { made: oldest.name, keep: 1, failed: [] }
    expect(await pruneBackups(tallied.backups, { ...options, fingerprint: 'another' })).toEqual([])
    expect(await pruneBackups(tallied.backups, { ...options, fingerprint: oldest.fingerprint })).toEqual([])
    expect(await left()).toHaveLength(3)
  })
})

describe('a check', () => {
  it('BK-5 finds a read model that differs from the log', async () => {
    const position = await noteSome(0, 9)
    await tallied.untilApplied('b0', position)
    // A document without a message.
    await tallied.serving.putImmutable({ partition: 'b', collection: 'extra', key: 'x' }, 1)
    const { path } = await tallied.backUp()
    expect(await tallied.check(path)).toMatchObject({ problems: [expect.stringContaining('tally differs: b (')] })
  })

  it('reports a wrong master key', async () => {
    const { path } = await tallied.backUp()
    const checked = await tallied.check(path, { masterKey: Buffer.alloc(32, 7) })
    expect(checked).toMatchObject({ problems: [expect.stringContaining('the available master key did not wrap')] })
  })

  it('reports a key that the right master key does not decrypt, and whether any was decrypted', async () => {
    const good = await tallied.backUp()
    expect(await tallied.check(good.path)).toMatchObject({ isDecrypted: true, problems: [] })
    expect(await tallied.check(good.path, { masterKey: undefined })).toMatchObject({ isDecrypted: false, problems: [] })
    withDatabase(tallied.keysFile, {}, (keys) =>
      keys.exec("UPDATE user_keys SET wrapped_key = randomblob(60) WHERE user_id = 'ben'"),
    )
    const { path } = await tallied.backUp()
    expect(await tallied.check(path)).toMatchObject({
      problems: ['1 of its keys cannot be decrypted with the master key'],
    })
  })

  it('names the damaged part of a backup, and leaves no folder', async () => {
    await noteSome(0, 50)
    const { path, manifest } = await tallied.backUp()
    const bytes = await readFile(path)
    const middle = bytes.length - (manifest.parts[1]?.bytes ?? 0) - 2_500
    bytes.writeUInt8(bytes.readUInt8(middle) ^ 1, middle)
    await writeFile(path, bytes)
    expect(await tallied.check(path)).toMatchObject({ ok: false, code: 'damaged', part: 'events.db.gz' })
  })
})
