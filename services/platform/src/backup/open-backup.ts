import { type FileHandle, open, stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { EventLog } from '../event-store/sqlite/event-log.ts'
import { openSqliteEventLog } from '../event-store/sqlite.ts'
import { openArchivedLog } from './archived-log.ts'
import { type BackupRejection, damaged, damagedEnd, incomplete, newerFormat, notABackup } from './backup-rejection.ts'
import { checksumLineBytes } from './write-container.ts'
import { type ContainerEntry, inspectContainer, type InspectedContainer } from './inspect-container.ts'
import { type Manifest, parseManifest, type PartName } from './manifest.ts'
import type { ReadOptions } from './read-chunks.ts'
import { extractPart, type UnpackedFiles, unpackParts } from './unpack-parts.ts'

export type UnpackedBackup = UnpackedFiles & {
  /** Opens the log with its original positions. The caller closes it. */
  openLog(): Promise<EventLog>
}

export type OpenedBackup = {
  readonly ok: true
  readonly path: string
  readonly bytes: number
  readonly manifest: Manifest
  /**
   * Writes the event log and the users' keys into the folder, which is created if it is missing. Rejects if one of the files exists, or
   * if the backup has changed since it was opened.
   */
  unpack(toFolder: string, options?: ReadOptions): Promise<UnpackedBackup>
  /** Copies one part byte for byte into a new file. */
  extract(name: PartName, toFile: string, options?: ReadOptions): Promise<void>
  /** Writes the users' keys into a new file. */
  unpackKeys(toFile: string, options?: ReadOptions): Promise<void>
}

const openUnpackedLog = async (store: Manifest['store'], logFile: string): Promise<EventLog> =>
  store === 'sqlite' ? openSqliteEventLog(logFile) : openArchivedLog(logFile)

type Verified = { readonly manifest: Manifest; readonly entries: readonly ContainerEntry[] }

/** The first part that differs from the manifest. */
const firstDamage = (
  path: string,
  { entries }: InspectedContainer,
  manifest: Manifest,
): BackupRejection | undefined => {
  for (const { name, sha256 } of manifest.parts) {
    const entry = entries.find((each) => each.name === name)
    if (entry !== undefined && entry.sha256 !== sha256) return damaged(path, name, sha256, entry.sha256)
  }
  return undefined
}

const judge = (path: string, inspected: InspectedContainer): BackupRejection | Verified => {
  const { isContainer, expected, found, bytesAfterArchive, entries } = inspected
  if (!isContainer) return notABackup(path)
  const parsed = parseManifest(inspected.manifest ?? '')
  if (expected === undefined)
    return (bytesAfterArchive ?? 0) < checksumLineBytes ? incomplete(path) : damagedEnd(path, found)
  if (expected !== found) {
    const part = parsed.kind === 'known' ? firstDamage(path, inspected, parsed.manifest) : undefined
    return part ?? damaged(path, 'file', expected, found)
  }
  if (parsed.kind === 'newer') return newerFormat(path, parsed.format, parsed.release)
  if (parsed.kind === 'invalid' || bytesAfterArchive !== 0) return notABackup(path)
  const { manifest } = parsed
  const hasParts = manifest.parts.every(({ name, bytes }) =>
    entries.some((entry) => entry.name === name && entry.bytes === bytes),
  )
  if (!hasParts) return notABackup(path)
  return firstDamage(path, inspected, manifest) ?? { manifest, entries }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Undefined if the file does not exist. */
const openFile = async (path: string): Promise<FileHandle | undefined> => {
  try {
    if (!(await stat(path)).isFile()) return undefined
    return await open(path, 'r')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Reads and verifies the whole file. Throws if the disk cannot be read. */
export const openBackup = async (path: string, options: ReadOptions = {}): Promise<OpenedBackup | BackupRejection> => {
  const file = await openFile(path)
  if (file === undefined) return notABackup(path, 'is not a file')
  try {
    const { size: bytes } = await file.stat()
    const inspected = await inspectContainer(file, bytes, (read) => {
      options.signal?.throwIfAborted()
      options.onProgress?.({ bytes: read, totalBytes: bytes })
    })
    const judged = judge(path, inspected)
    if ('ok' in judged) return judged
    const { manifest, entries } = judged
    return {
      ok: true,
      path,
      bytes,
      manifest,
      unpack: async (toFolder, unpackOptions = {}) => {
        const files = await unpackParts({ path, manifest, entries, toFolder, ...unpackOptions })
        return { ...files, openLog: () => openUnpackedLog(manifest.store, files.logFile) }
      },
      extract: (name, toFile, extractOptions = {}) => extractPart({ path, entries, ...extractOptions }, name, toFile),
      unpackKeys: (toFile, unpackOptions = {}) =>
        extractPart({ path, entries, ...unpackOptions }, 'user-keys.db.gz', toFile, createGunzip()),
    }
  } finally {
    await file.close()
  }
}
