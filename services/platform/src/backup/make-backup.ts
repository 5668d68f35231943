import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RecordedEvent } from '../event-store/port.ts'
import { takeDigests } from '../generations/baseline-check.ts'
import type { ReadModel } from '../read-model/port.ts'
import type { ArchivedEnd } from './archived-log.ts'
import { BackupFolderError, backupPaths, backupStampOf, withBackupFolder } from './backup-folder.ts'
import { release } from '../settings/release.ts'
import { type Manifest, manifestFormat, type ReadModelDigests } from './manifest.ts'
import { summarizeUserKeys } from './user-keys-file.ts'
import { packPart, writeContainer } from './write-container.ts'

type CopyOptions = {
  readonly signal: AbortSignal
  onEvent?(event: RecordedEvent): void
}

/** The data to back up. Other processes may use it meanwhile. */
export type BackupSource = {
  readonly store: Manifest['store']
  /** Writes a consistent snapshot of the log into a new file. */
  copyLog(path: string, options: CopyOptions): Promise<ArchivedEnd>
  /** Writes the users' keys, still wrapped, into a new file. Copy them after the log, so that no user lacks a key. */
  copyKeys(path: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The active read model of a projection. */
export type ServedProjection = {
  readonly projection: string
  readonly version: number
  readonly generation: string
  readonly readModel: ReadModel
}

type BackupStep = 'reading the read models' | 'copying the log' | 'copying the keys' | 'compressing' | 'writing'
export type BackupProgress =
  | { readonly step: BackupStep }
  | { readonly step: 'reading the log'; readonly events: number; readonly place: RecordedEvent['position'] }

export type MakeBackupOptions = {
  readonly source: BackupSource
  readonly folder: string
  /** Complete read models only: an incomplete one cannot be compared. */
  readonly served: readonly ServedProjection[]
  readonly now: Date
  readonly signal: AbortSignal
  onProgress?(progress: BackupProgress): void
}

export type MadeBackup = { readonly path: string; readonly bytes: number; readonly manifest: Manifest }

/** The portal has never been started, so it has no keys. */
class NothingToBackUpError extends Error {
  override readonly name = 'NothingToBackUpError'
  readonly isUserFacing = true
}

/** The digest of each partition. Take them before the log is copied, so that the copy contains their positions. */
const digestsOf = async (served: ServedProjection): Promise<ReadModelDigests> => {
  const { projection, version, generation, readModel } = served
  const digests = await takeDigests(projection, readModel)
  const partitions = [...digests].flatMap(([partition, { position, checksum, documents, entries }]) =>
    position === undefined ? [] : [[partition, { position, checksum, documents, entries }] as const],
  )
  return { projection, version, generation, partitions: Object.fromEntries(partitions) }
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
 * Backs up a portal, which may be running: a snapshot of the log, then the keys. An incomplete file never has the name of a backup.
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
