import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ErasureRecord } from '../personal-data/erasure-log.ts'
import { backupPaths, listBackups, type ListedBackup, withBackupFolder } from './backup-folder.ts'
import type { BackupRejection } from './backup-rejection.ts'
import type { ManifestPart } from './manifest.ts'
import { openBackup, type OpenedBackup } from './open-backup.ts'
import { packPart, writeContainer } from './write-container.ts'
import { forgetKeys, summarizeUserKeys } from './user-keys-file.ts'

type ForgetOptions = {
  readonly folder: string
  /** All erasures. */
  readonly erasures: readonly ErasureRecord[]
  readonly signal: AbortSignal
  onProgress?(progress: {
    readonly step: 'rewriting'
    readonly file: string
    readonly bytes: number
    readonly totalBytes: number
  }): void
}

export type ForgottenIn = {
  readonly file: string
  /** The number of erased users whose keys it held. */
  readonly people: number
  /** Set if the file is unusable; it is not changed. */
  readonly rejection?: BackupRejection
}

/** Replaces the keys of a backup. The log is copied byte for byte. */
const rewrite = async (backup: OpenedBackup, listed: ListedBackup, parts: string, options: ForgetOptions) => {
  const { manifest, path } = backup
  const { folder, signal } = options
  const keysFile = join(parts, 'user-keys.db')
  const { keys, erased } = summarizeUserKeys(keysFile)
  const keysPart = await packPart(keysFile, parts, 'user-keys.db.gz', signal)
  await backup.extract('events.db.gz', join(parts, 'events.db.gz'), { signal })
  const part = (known: ManifestPart): ManifestPart => (known.name === keysPart.name ? keysPart : known)
  await writeContainer({
    path,
    partialPath: backupPaths(folder, listed.stamp).partial,
    partsFolder: parts,
    manifest: { ...manifest, people: { keys, erased }, parts: manifest.parts.map(part) },
    signal,
  })
}

const forgetIn = async (listed: ListedBackup, options: ForgetOptions): Promise<ForgottenIn> => {
  const { folder, erasures, signal, onProgress } = options
  const { name: file, path, stamp } = listed
  const backup = await openBackup(path, {
    signal,
    onProgress: (progress) => onProgress?.({ step: 'rewriting', file, ...progress }),
  })
  if (!backup.ok) return { file, people: 0, rejection: backup }
  const { parts, partial } = backupPaths(folder, stamp)
  try {
    await mkdir(parts, { mode: 0o700 })
    const keysFile = join(parts, 'user-keys.db')
    await backup.unpackKeys(keysFile, { signal })
    const people = forgetKeys(keysFile, erasures)
    if (people > 0) await rewrite(backup, listed, parts, options)
    return { file, people }
  } finally {
    await rm(parts, { recursive: true, force: true })
    await rm(partial, { force: true })
  }
}

/** Removes the keys of erased users from all backups of a folder. Each backup is replaced atomically. */
export const forgetErased = (options: ForgetOptions): Promise<readonly ForgottenIn[]> =>
  withBackupFolder(options.folder, async () => {
    const forgotten: ForgottenIn[] = []
    for (const listed of await listBackups(options.folder)) {
      options.signal.throwIfAborted()
      forgotten.push(await forgetIn(listed, options))
    }
    return forgotten
  })
