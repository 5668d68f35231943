import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../settings/config.ts'
import { networkFileSystemIn, networkFileSystemOf, networkFoldersOf, requireLocalStorage } from './local-storage.ts'

const mounts = [
  '/dev/vda / ext4 rw,relatime 0 0',
  'files:/export /mnt/files nfs4 rw 0 0',
  'ann@host:/home /mnt/ssh\\040files fuse.sshfs rw 0 0',
  '/dev/sdb1 /mnt/disk fuseblk rw 0 0',
  'host /mnt/shared virtiofs rw 0 0',
].join('\n')
const fuse = 0x65_73_55_46

test('recognizes network file systems by their types, even if reported as negative', () => {
  expect(networkFileSystemIn(0x69_69, '/mnt/files/data', mounts)).toBe('NFS')
  expect(networkFileSystemIn(0xff_53_4d_42, '/mnt/smb', mounts)).toBe('SMB')
  expect(networkFileSystemIn(0xff_53_4d_42 | 0, '/mnt/smb', mounts)).toBe('SMB')
  expect(networkFileSystemIn(0x01_02_19_97, '/mnt/c', mounts)).toBe('9P')
})

test('accepts ext4, XFS, Btrfs, tmpfs and overlayfs', () => {
  for (const type of [0xef_53, 0x58_46_53_42, 0x91_23_68_3e, 0x01_02_19_94, 0x79_4c_76_30]) {
    expect(networkFileSystemIn(type, '/data', mounts)).toBeUndefined()
  }
})

test('identifies a FUSE file system by its mount', () => {
  expect(networkFileSystemIn(fuse, '/mnt/ssh files/data', mounts)).toBe('fuse.sshfs')
  expect(networkFileSystemIn(fuse, '/mnt/shared', mounts)).toBe('virtiofs')
  expect(networkFileSystemIn(fuse, '/mnt/disk/portal/data', mounts)).toBeUndefined()
  expect(networkFileSystemIn(fuse, '/elsewhere', '')).toBe('FUSE')
})

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'storage-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

test('accepts a local disk, even for a missing folder', () => {
  const folder = newFolder()
  expect(networkFileSystemOf(join(folder, 'not', 'yet'))).toBeUndefined()
  expect(() => requireLocalStorage(loadConfig({ DATA_DIR: join(folder, 'data') }))).not.toThrow()
})

test('rejects each database folder on a network file system, in one line with its setting', () => {
  const config = loadConfig({ DATA_DIR: '/data', EVENT_STORE_URL: 'sqlite:/mnt/log/events.db' })
  const nfsAt = (prefix: string) => (path: string) => (path.startsWith(prefix) ? 'NFS' : undefined)
  expect(networkFoldersOf(config, nfsAt('/data'))).toEqual([
    { setting: 'DATA_DIR', folder: '/data', fileSystem: 'NFS' },
    { setting: 'READ_MODEL_URL', folder: '/data/read-models', fileSystem: 'NFS' },
  ])
  expect(() => requireLocalStorage(config, nfsAt('/mnt'))).toThrow(
    /^EVENT_STORE_URL: \/mnt\/log is on a network file system \(NFS\), [^\n]+$/,
  )
  expect(() => requireLocalStorage(config, nfsAt('/elsewhere'))).not.toThrow()
})

test('remote engines have no folder to check', () => {
  const config = loadConfig({
    DATA_DIR: '/data',
    EVENT_STORE_URL: 'esdb://localhost',
    READ_MODEL_URL: 'redis://localhost',
  })
  expect(networkFoldersOf(config, () => 'NFS')).toEqual([{ setting: 'DATA_DIR', folder: '/data', fileSystem: 'NFS' }])
})
