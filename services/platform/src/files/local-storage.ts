import { existsSync, readFileSync, statfsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Config } from '../settings/config.ts'
import { sqlitePathOf } from './storage-urls.ts'

/** Names of file systems by the type that statfs reports on Linux (linux/magic.h and the sources of the file systems). */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x00_00_69_69, 'NFS'],
  [0x00_00_51_7b, 'SMB'],
  [0xfe_53_4d_42, 'SMB'],
  [0xff_53_4d_42, 'SMB'],
  [0x01_02_19_97, '9P'],
  [0x53_46_41_4f, 'AFS'],
  [0x6b_41_46_53, 'AFS'],
  [0x73_75_72_45, 'Coda'],
  [0x00_c3_64_00, 'Ceph'],
  [0x0b_d0_0b_d0, 'Lustre'],
  [0x47_50_46_53, 'GPFS'],
  [0x19_83_03_26, 'BeeGFS'],
])
/** The same for all FUSE file systems: sshfs, s3fs or a local NTFS disk. */
const fuseType = 0x65_73_55_46
/** FUSE on a local block device. */
const localFuse = 'fuseblk'

type Mount = { readonly point: string; readonly type: string }

const unescaped = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 8)))

/** Parses the lines of /proc/self/mounts: device, mount point, type. */
const mountsOf = (table: string): readonly Mount[] =>
  table.split('\n').flatMap((line) => {
    const [, point, type] = line.split(' ')
    return point === undefined || type === undefined ? [] : [{ point: unescaped(point), type }]
  })

const isWithin = (path: string, point: string): boolean =>
  point === '/' || path === point || path.startsWith(`${point}/`)

/** The mount of a path: the deepest one, or the last of several at the same point. */
const mountOf = (path: string, table: string): Mount | undefined =>
  mountsOf(table)
    .filter(({ point }) => isWithin(path, point))
    .toSorted((a, b) => a.point.length - b.point.length)
    .at(-1)

/** The name of the network file system, from statfs and the mount table; undefined for a local disk. */
export const networkFileSystemIn = (statfsType: number, path: string, mountTable: string): string | undefined => {
  // Some machines report a signed number.
  const type = statfsType >>> 0
  if (type !== fuseType) return networkTypes.get(type)
  const mounted = mountOf(path, mountTable)?.type
  return mounted === localFuse ? undefined : (mounted ?? 'FUSE')
}

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

const mountTableFile = '/proc/self/mounts'

/** Undefined for a local disk, and on systems other than Linux, where the types differ. */
export const networkFileSystemOf = (path: string): string | undefined => {
  if (!existsSync(mountTableFile)) return undefined
  const existing = nearestExisting(resolve(path))
  return networkFileSystemIn(statfsSync(existing).type, existing, readFileSync(mountTableFile, 'utf8'))
}

/** A database folder is on a network file system. The message is one line that names the setting. */
class NetworkFileSystemError extends Error {
  override readonly name = 'NetworkFileSystemError'
  readonly isUserFacing = true
}

type Storage = Pick<Config, 'dataDir' | 'eventStoreUrl' | 'readModelUrl'>
type NetworkFolder = { readonly setting: string; readonly folder: string; readonly fileSystem: string }

const foldersOf = ({ dataDir, eventStoreUrl, readModelUrl }: Storage): readonly (readonly [string, string])[] => {
  const [log, readModels] = [sqlitePathOf(eventStoreUrl), sqlitePathOf(readModelUrl)]
  return [
    ['DATA_DIR', dataDir],
    ...(log === undefined ? [] : [['EVENT_STORE_URL', dirname(log)] as const]),
    ...(readModels === undefined ? [] : [['READ_MODEL_URL', readModels] as const]),
  ]
}

/** The database folders that are on a network file system, without duplicates. */
export const networkFoldersOf = (
  config: Storage,
  fileSystemOf: (path: string) => string | undefined = networkFileSystemOf,
): readonly NetworkFolder[] => {
  const found = foldersOf(config).flatMap(([setting, folder]): NetworkFolder[] => {
    const fileSystem = fileSystemOf(folder)
    return fileSystem === undefined ? [] : [{ setting, folder, fileSystem }]
  })
  return found.filter(({ folder }, index) => found.findIndex((other) => other.folder === folder) === index)
}

/**
 * Throws NetworkFileSystemError for a network file system: SQLite's locks and write-ahead log do not work there, so two processes
 * could write at once and corrupt the log.
 */
export const requireLocalStorage = (
  config: Storage,
  fileSystemOf: (path: string) => string | undefined = networkFileSystemOf,
): void => {
  const [first] = networkFoldersOf(config, fileSystemOf)
  if (first === undefined) return
  const { setting, folder, fileSystem } = first
  throw new NetworkFileSystemError(
    `${setting}: ${folder} is on a network file system (${fileSystem}), where two processes could damage its databases. Choose a folder on a disk of this machine`,
  )
}
