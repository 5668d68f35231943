import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findLostStore } from '@portal/platform/backup/lost-store'
import type { Config } from '@portal/platform/settings/config'
import { EventStoreUnavailableError, StoreAccessError } from '@portal/platform/event-store/errors'
import { MasterKeyError } from '@portal/platform/personal-data/master-key'
import { UserKeysMissingError } from '@portal/platform/personal-data/require-user-keys'
import { dataFiles } from '@portal/platform/files/data-folder'
import { mixedOwnersIn } from '@portal/platform/files/own-files'
import { requireCompleteStore } from '@portal/platform/restore/open-marks'
import { UnfinishedStoreError } from '@portal/platform/restore/restore-mark'
import { networkFoldersOf } from '@portal/platform/files/local-storage'
import { CommandError } from '../command.ts'
import { isDataFolderInUse } from '../settings/operator-config.ts'
import { NoVaultError, openExistingVault } from '../settings/open-engines.ts'
import { fail, type Finding, type Findings, info, inWords, ok, warn } from './finding.ts'

const folderName = 'data folder'

/** The process that locks a file, from /proc/locks (Linux), by the inode of the file. */
export const lockHolderIn = (locks: string, inode: number): number | undefined => {
  const line = locks
    .split('\n')
    .find((entry) => entry.includes(' WRITE ') && entry.split(/\s+/)[5]?.endsWith(`:${inode}`))
  const pid = Number(line?.split(/\s+/)[4])
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
}

const holderOf = (dataDir: string): string => {
  if (!existsSync('/proc/locks')) return 'a portal'
  const pid = lockHolderIn(readFileSync('/proc/locks', 'utf8'), statSync(join(dataDir, 'lock.db')).ino)
  return pid === undefined ? 'a portal' : `process ${pid}`
}

const checkFolder = (dataDir: string): Finding => {
  if (!existsSync(dataDir)) return info(folderName, `${dataDir} does not exist yet: the first start creates it`)
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return fail(folderName, `${dataDir} is not writable for this user`, 'chown it, or set DATA_DIR to another folder')
  }
  return isDataFolderInUse(dataDir)
    ? ok(folderName, `${dataDir}, in use by ${holderOf(dataDir)}`)
    : ok(folderName, `${dataDir}, not in use`)
}

const gib = 1024 ** 3
const lowBytes = gib
const criticalBytes = gib / 10

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

const checkDisk = (dataDir: string): Finding => {
  const { bavail, bsize } = statfsSync(nearestExisting(dataDir))
  const free = bavail * bsize
  const says = `${(free / gib).toFixed(1)} GiB free`
  if (free < criticalBytes) return fail('disk', says, 'free some space: writes fail on a full disk')
  return free < lowBytes ? warn('disk', says, 'free some space before it is full') : ok('disk', says)
}

/** The check of the event store reports it. */
const isAboutStore = (error: unknown): boolean =>
  error instanceof StoreAccessError ||
  error instanceof EventStoreUnavailableError ||
  (error instanceof CommandError && error.cause !== undefined)

const checkKeys = async (config: Config): Promise<Finding> => {
  const check = 'master key'
  try {
    const vault = await openExistingVault(config)
    // Not awaited: the process exits after the report.
    void vault.close().catch(() => undefined)
    return ok(check, `${config.masterKey ? 'MASTER_KEY' : dataFiles(config.dataDir).masterKey} is the right one`)
  } catch (error) {
    if (error instanceof NoVaultError) return info(check, 'there are no user keys yet')
    if (error instanceof UserKeysMissingError)
      return fail('user keys', error.message, 'restore them, or set DATA_DIR to another folder')
    if (isAboutStore(error)) return info(check, 'not checked, because the event store cannot be used')
    const isAboutKey = error instanceof MasterKeyError
    return fail(check, inWords(error), isAboutKey ? 'restore the key that wrapped the users’ keys' : 'do what it says')
  }
}

/** Only the owner may read master and session keys. */
const checkSecrecy = (dataDir: string): Findings =>
  [dataFiles(dataDir).masterKey, dataFiles(dataDir).sessionKeys]
    .filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0)
    .map((file) => warn('secrets', `${file} is readable for other users`, `chmod 600 ${file}`))

/** A command of another user, such as root, has written here. */
const checkOwner = ({ dataDir }: Config): Findings => {
  const line = mixedOwnersIn(dataDir)
  return line === undefined ? [] : [fail('owner', line, 'run commands as that user only')]
}

const checkStorage = (config: Config): Findings =>
  networkFoldersOf(config).map(({ setting, folder, fileSystem }) =>
    fail(
      'storage',
      `${folder} is on a network file system (${fileSystem})`,
      `move it to a local disk, then set ${setting}`,
    ),
  )

const checkRestore = async (config: Config): Promise<Findings> => {
  try {
    await requireCompleteStore(config)
    return []
  } catch (error) {
    // Another check reports a store that does not respond.
    if (!(error instanceof UnfinishedStoreError)) return []
    return [fail('restore', error.message, 'run this command: no portal starts before')]
  }
}

export const checkDataFolder = async (config: Config): Promise<Findings> => {
  // The check of the event store reports it. What is in its place says nothing about the portal.
  const isLost = (await findLostStore(config)) !== undefined
  return [
    ...(isLost ? [] : [checkFolder(config.dataDir)]),
    checkDisk(config.dataDir),
    ...checkStorage(config),
    ...(await checkRestore(config)),
    ...(isLost ? [] : [await checkKeys(config)]),
    ...checkSecrecy(config.dataDir),
    ...checkOwner(config),
  ]
}
