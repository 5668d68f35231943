import { execFileSync } from 'node:child_process'
import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readLogToEnd } from '../event-store/read-log-to-end.ts'
import { openSqliteVault } from '../personal-data/sqlite-vault.ts'
import { backupPaths, backupStampOf } from './backup-folder.ts'
import type { PartName } from './manifest.ts'
import { openBackup } from './open-backup.ts'
import { collect } from '../../testing/backup/sample-backup.ts'
import { sampleBackup, type SampleBackup } from '@portal/platform/testing/backup/sample-backup'

let sample: SampleBackup
beforeEach(async () => {
  sample = await sampleBackup()
})
afterEach(() => sample.remove())

const opened = async () => {
  const backup = await openBackup(sample.file)
  if (!backup.ok) throw new Error(backup.message)
  return backup
}

const flip = async (offset: number, mask = 0x01): Promise<void> => {
  const bytes = await readFile(sample.file)
  bytes.writeUInt8(bytes.readUInt8(offset) ^ mask, offset)
  await writeFile(sample.file, bytes)
}

/** The offset of a byte in the middle of a part. */
const middleOf = async (part: PartName): Promise<number> => {
  const { parts } = backupPaths(sample.folder, backupStampOf(new Date(sample.manifest.madeAt)))
  const content = await readFile(join(parts, part))
  return (await readFile(sample.file)).indexOf(content) + Math.floor(content.length / 2)
}

describe('a sound backup', () => {
  it('returns its manifest, and reports every byte as progress', async () => {
    let last = { bytes: 0, totalBytes: -1 }
    const backup = await openBackup(sample.file, { onProgress: (progress) => (last = progress) })
    expect(backup).toMatchObject({ ok: true, manifest: sample.manifest, bytes: sample.bytes })
    expect(last.totalBytes).toBe(sample.bytes)
    expect(sample.bytes - last.bytes).toBe('sha256 \n'.length + 64)
  })

  it('unpacks the log with its events at their positions, and the keys', async () => {
    const target = join(sample.folder, 'unpacked')
    const { openLog, userKeysFile } = await (await opened()).unpack(target)
    const log = await openLog()
    expect(await collect(readLogToEnd(log))).toEqual(sample.recorded)
    expect(await log.end()).toBe(sample.manifest.log.end?.position)
    await log.close()
    const masterKeyFile = join(sample.folder, 'sources', 'master.key')
    const vault = openSqliteVault({ keysFile: userKeysFile, masterKeyFile })
    await expect(vault.encrypt('anna', 'still')).resolves.toBeDefined()
    await vault.close()
    expect((await stat(userKeysFile)).mode & 0o777).toBe(0o600)
  })

  it('does not overwrite a file when it unpacks, nor leave a partial result', async () => {
    const target = join(sample.folder, 'unpacked')
    await mkdir(target)
    await writeFile(join(target, 'user-keys.db'), 'mine')
    await expect((await opened()).unpack(target)).rejects.toThrow('EEXIST')
    // The existing file is unchanged.
    expect(await readdir(target)).toEqual(['user-keys.db'])
    expect(await readFile(join(target, 'user-keys.db'), 'utf8')).toBe('mine')
  })

  it('rejects unpacking after a change', async () => {
    const backup = await opened()
    await flip(await middleOf('events.db.gz'))
    await expect(backup.unpack(join(sample.folder, 'unpacked'))).rejects.toThrow(
      'events.db.gz is not the one that was verified',
    )
    expect(await readdir(join(sample.folder, 'unpacked'))).toEqual([])
  })

  it('can be listed and unpacked by tar', () => {
    const names = execFileSync('tar', ['tf', sample.file], { encoding: 'utf8' }).trim().split('\n')
    expect(names).toEqual(['manifest.json', 'events.db.gz', 'user-keys.db.gz'])
  })
})

describe('a file that cannot be used', () => {
  it('is not a backup, or not a file', async () => {
    const path = join(sample.folder, 'other')
    for (const content of ['', 'Hello', 'Hello\n'.repeat(1_000)]) {
      await writeFile(path, content)
      const message = `${path} is not a backup of a portal`
      expect(await openBackup(path)).toEqual({ ok: false, code: 'not-a-backup', why: message, message })
    }
    for (const name of ['none', 'sources', 'sources/events.db/x']) {
      const missing = join(sample.folder, name)
      expect(await openBackup(missing)).toMatchObject({ code: 'not-a-backup', message: `${missing} is not a file` })
    }
    await sample.write({ masterKey: '' })
    expect(await openBackup(sample.file)).toMatchObject({ code: 'not-a-backup' })
  })

  it('BK-3 names the part that is damaged and its two checksums', async () => {
    await flip(await middleOf('user-keys.db.gz'))
    const rejection = await openBackup(sample.file)
    expect(rejection).toMatchObject({ ok: false, code: 'damaged', part: 'user-keys.db.gz' })
    expect(rejection).toMatchObject({ expected: sample.manifest.parts[1]?.sha256 })
    expect(rejection).toMatchObject({
      message: expect.stringMatching(/user-keys\.db\.gz has the SHA-256 [0-9a-f]{12}…/),
    })
  })

  it('is truncated, or has data after its end', async () => {
    await appendFile(sample.file, 'x')
    expect(await openBackup(sample.file)).toMatchObject({ code: 'damaged', part: 'checksum line' })
    await truncate(sample.file, sample.bytes - 1_000)
    expect(await openBackup(sample.file)).toMatchObject({ code: 'incomplete' })
  })

  it('BK-3 is of a newer format', async () => {
    // @ts-expect-error a format that this release does not know
    await sample.write({ format: 2, release: '9.0.0' })
    const rejection = await openBackup(sample.file)
    expect(rejection).toMatchObject({ code: 'newer-format', message: expect.stringContaining('release 9.0.0') })
  })
})
