import { chmodSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** To be called before anything is written: what this process makes is readable by its owner alone. */
export const makeFilesPrivate = (): void => void process.umask(0o077)

const ownFile = /^(?:.*\.db(?:-wal|-shm)?|.*\.jsonl|security.*\.log(?:\.\d+)?|master\.key|session-keys\.json)$/
const ownFolders = ['read-models', 'ledger', 'run', 'operations']

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return [] // not there yet, or not ours to read: whoever opens it says so
  }
}

const tighten = (path: string): void => {
  try {
    const { mode, uid } = lstatSync(path)
    const isOwn = uid === process.getuid?.()
    const isPlain = (mode & 0o170_000) === 0o100_000 || (mode & 0o170_000) === 0o040_000
    if (isOwn && isPlain && (mode & 0o077) !== 0) chmodSync(path, mode & 0o700)
  } catch {
    // Removed meanwhile, or mounted read-only: then its owner decides.
  }
}

/** For what earlier releases have made with wider modes. Only the portal's own names: DATA_DIR may hold other things. */
export const tightenDataFolder = (dataDir: string): void => {
  for (const name of namesIn(dataDir)) if (ownFile.test(name)) tighten(join(dataDir, name))
  for (const folder of ownFolders) {
    for (const name of namesIn(join(dataDir, folder))) tighten(join(dataDir, folder, name))
    tighten(join(dataDir, folder))
  }
}
