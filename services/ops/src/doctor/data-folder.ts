import { accessSync, constants, existsSync, readFileSync, statfsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Config } from '@portal/platform/settings/config'
import { UserKeysMissingError } from '@portal/platform/personal-data/require-user-keys'
import { dataFiles } from '@portal/platform/files/data-folder'
import { requireCompleteStore } from '@portal/platform/restore/open-marks'
import { UnfinishedStoreError } from '@portal/platform/restore/restore-mark'
import { networkFoldersOf } from '@portal/platform/files/local-storage'
import { isDataFolderTaken } from '../settings/operator-config.ts'
import { NoVaultError, openExistingVault } from '../settings/open-engines.ts'
import { fail, type Finding, type Findings, info, inWords, ok, warn } from './finding.ts'

const folderName = 'data folder'

/** Who holds a lock on a file, where the system tells (Linux): by the file's number on its disk. */
export const lockHolderIn = (locks: string, inode: number): number | undefined => {
  const line = locks.split('\n').find((one) => one.includes(' WRITE ') && one.split(/\s+/)[5]?.endsWith(`:${inode}`))
  const pid = Number(line?.split(/\s+/)[4])
  return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined
}

const holderOf = (dataDir: string): string => {
  if (!existsSync('/proc/locks')) return 'a portal'
  const pid = lockHolderIn(readFileSync('/proc/locks', 'utf8'), statSync(join(dataDir, 'lock.db')).ino)
  return pid === undefined ? 'a portal' : `process ${pid}`
}

const checkFolder = (dataDir: string): Finding => {
  if (!existsSync(dataDir)) return info(folderName, `${dataDir} is not there yet: the first start makes it`)
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch {
    return fail(folderName, `${dataDir} cannot be written by this user`, 'chown it, or choose another one by DATA_DIR')
  }
  return isDataFolderTaken(dataDir)
    ? ok(folderName, `${dataDir}, in use by ${holderOf(dataDir)}`)
    : ok(folderName, `${dataDir}, in use by nobody`)
}

const gib = 1024 ** 3
const scarceBytes = gib
const tooLittleBytes = gib / 10

const nearestExisting = (path: string): string => (existsSync(path) ? path : nearestExisting(dirname(path)))

const checkDisk = (dataDir: string): Finding => {
  const { bavail, bsize } = statfsSync(nearestExisting(dataDir))
  const free = bavail * bsize
  const says = `${(free / gib).toFixed(1)} GiB free`
  if (free < tooLittleBytes) return fail('disk', says, 'make room: what cannot be recorded is refused')
  return free < scarceBytes ? warn('disk', says, 'make room before it is full') : ok('disk', says)
}

const checkKeys = async (config: Config): Promise<Finding> => {
  const check = 'master key'
  try {
    const vault = await openExistingVault(config)
    // The process ends when all is said, whether this has ended or not.
    void vault.close().catch(() => undefined)
    return ok(check, `${config.masterKey ? 'MASTER_KEY' : dataFiles(config.dataDir).masterKey} is the right one`)
  } catch (error) {
    if (error instanceof NoVaultError) return info(check, 'nothing has been sealed yet')
    if (error instanceof UserKeysMissingError)
      return fail('user keys', error.message, 'restore them, or choose another data folder by DATA_DIR')
    return fail(check, inWords(error), 'bring back the key that the users’ data was sealed with')
  }
}

/** Master and session keys are for their owner alone. */
const checkSecrecy = (dataDir: string): Findings =>
  [dataFiles(dataDir).masterKey, dataFiles(dataDir).sessionKeys]
    .filter((file) => existsSync(file) && (statSync(file).mode & 0o077) !== 0)
    .map((file) => warn('secrets', `${file} can be read by others`, `chmod 600 ${file}`))

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
    // A store that does not answer is a finding of its own.
    if (!(error instanceof UnfinishedStoreError)) return []
    return [fail('restore', error.message, 'run the command that it names: no portal starts before')]
  }
}

/** Where the portal keeps what it has on this machine. */
export const checkDataFolder = async (config: Config): Promise<Findings> => [
  checkFolder(config.dataDir),
  checkDisk(config.dataDir),
  ...checkStorage(config),
  ...(await checkRestore(config)),
  await checkKeys(config),
  ...checkSecrecy(config.dataDir),
]
