import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Recorded } from '../event-store/port.ts'
import { release } from '../settings/release.ts'
import type { BackupSource } from './backup-source.ts'
import { BackupFolderError, withBackupFolder } from './backup-folder.ts'
import { backupPaths, backupStampOf } from './backup-names.ts'
import { type Manifest, manifestFormat, type ReadModelDigests } from './manifest.ts'
import { packPart } from './pack-part.ts'
import { digestsOf, type ServedProjection } from './read-model-digests.ts'
import { summarizeUserKeys } from './user-keys-file.ts'
import { writeContainer } from './write-container.ts'

export type BackupStep = 'reading the read models' | 'copying the log' | 'copying the keys' | 'compressing' | 'writing'
export type BackupProgress =
  | { readonly step: BackupStep }
  | { readonly step: 'reading the log'; readonly events: number; readonly place: Recorded['position'] }

export type MakeBackupOptions = {
  readonly source: BackupSource
  readonly folder: string
  /** Those that are complete: what is on record as incomplete has nothing to compare with. */
  readonly served: readonly ServedProjection[]
  readonly now: Date
  readonly signal: AbortSignal
  onProgress?(progress: BackupProgress): void
}

export type MadeBackup = { readonly path: string; readonly bytes: number; readonly manifest: Manifest }

/** The portal has never been started, so it has no keys and no personal data. */
export class NothingToBackUpError extends Error {
  override readonly name = 'NothingToBackUpError'
  readonly isUserFacing = true
}

const copyParts = async (folder: string, options: MakeBackupOptions) => {
  const { source, signal, onProgress } = options
  const [logFile, keysFile] = [join(folder, 'events.db'), join(folder, 'user-keys.db')]
  let events = 0
  onProgress?.({ step: 'copying the log' })
  const log = await source.copyLog(logFile, {
    signal,
    onEvent: ({ position: place }) => onProgress?.({ step: 'reading the log', events: ++events, place }),
  })
  onProgress?.({ step: 'copying the keys' })
  await source.copyKeys(keysFile, signal)
  const { masterKey, keys, erased } = summarizeUserKeys(keysFile)
  if (masterKey === undefined) throw new NothingToBackUpError('There are no keys to back up: start the portal first')
  onProgress?.({ step: 'compressing' })
  const parts = [
    await packPart(logFile, folder, 'events.db.gz', signal),
    await packPart(keysFile, folder, 'user-keys.db.gz', signal),
  ]
  return { log, masterKey, people: { keys, erased }, parts }
}

/**
 * Backs up a portal that may serve meanwhile: the log as of one moment, and the keys behind it. Nothing that is not complete ever
 * has the name of a backup.
 */
export const makeBackup = (options: MakeBackupOptions): Promise<MadeBackup> =>
  withBackupFolder(options.folder, async () => {
    const { source, served, now, signal, onProgress } = options
    const { file: path, partial: partialPath, parts: partsFolder } = backupPaths(options.folder, backupStampOf(now))
    if (existsSync(path)) throw new BackupFolderError(`${path} exists: wait a second, then try again`)
    try {
      await mkdir(partsFolder, { mode: 0o700 })
      onProgress?.({ step: 'reading the read models' })
      const readModels: ReadModelDigests[] = []
      for (const each of served) {
        signal.throwIfAborted()
        readModels.push(await digestsOf(each))
      }
      const copied = await copyParts(partsFolder, options)
      const manifest: Manifest = {
        format: manifestFormat,
        madeAt: now.toISOString(),
        release,
        store: source.store,
        ...copied,
        readModels,
      }
      onProgress?.({ step: 'writing' })
      const bytes = await writeContainer({ path, partialPath, manifest, partsFolder, signal })
      return { path, bytes, manifest }
    } finally {
      await rm(partsFolder, { recursive: true, force: true })
      await rm(partialPath, { force: true })
    }
  })
