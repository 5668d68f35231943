import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { syncFolder } from '../files/durable-write.ts'
import type { ContainerEntry } from './inspect-container.ts'
import type { Manifest, PartName } from './manifest.ts'
import { readChunks, type ReadOptions } from './read-chunks.ts'

export type UnpackedFiles = {
  /** The event log: SQLite's own file, or an archive of EventStoreDB's. */
  readonly logFile: string
  /** The users' keys, in the format of the SQLite vault. */
  readonly userKeysFile: string
}

/** The backup has changed since it was verified. */
class BackupChangedError extends Error {
  override readonly name = 'BackupChangedError'
  readonly isUserFacing = true
}

const fileNames: Readonly<Record<PartName, string>> = {
  'events.db.gz': 'events.db',
  'user-keys.db.gz': 'user-keys.db',
}

type Container = ReadOptions & { readonly path: string; readonly entries: readonly ContainerEntry[] }
type Parts = Container & { readonly manifest: Manifest; readonly toFolder: string }

const isDeflateError = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

const writeEntry = async (
  file: FileHandle,
  { offset, bytes, sha256, name }: ContainerEntry,
  target: FileHandle,
  { path, signal }: Container,
  transform: Transform,
  onBytes: (bytes: number) => void,
): Promise<void> => {
  const hash = createHash('sha256')
  const content = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of readChunks(file, offset, offset + bytes)) {
      hash.update(chunk)
      onBytes(chunk.length)
      yield Buffer.from(chunk)
    }
  }
  const changed = `${path} has changed while it was read: ${name} is not the one that was verified`
  try {
    // Closes the target, flushed to disk.
    await pipeline(content, transform, target.createWriteStream({ flush: true }), { signal })
  } catch (cause) {
    // The error of an aborted pipeline lacks the reason.
    signal?.throwIfAborted()
    throw isDeflateError(cause) ? new BackupChangedError(changed, { cause }) : cause
  }
  if (hash.digest('hex') !== sha256) throw new BackupChangedError(changed)
}

const entryOf = ({ path, entries }: Container, name: PartName): ContainerEntry => {
  const entry = entries.find((each) => each.name === name)
  if (entry === undefined) throw new BackupChangedError(`${path} has no ${name}`)
  return entry
}

/** Copies a part into a new file, through `transform` if given. */
export const extractPart = async (
  container: Container,
  name: PartName,
  toFile: string,
  transform: Transform = new PassThrough(),
): Promise<void> => {
  const file = await open(container.path, 'r')
  try {
    const target = await open(toFile, 'wx', 0o600)
    await writeEntry(file, entryOf(container, name), target, container, transform, () => undefined)
  } finally {
    await file.close()
  }
}

/** Writes both files, or neither if it rejects. */
export const unpackParts = async (parts: Parts): Promise<UnpackedFiles> => {
  const { path, manifest, toFolder, onProgress } = parts
  await mkdir(toFolder, { recursive: true, mode: 0o700 })
  const totalBytes = manifest.parts.reduce((sum, { bytes }) => sum + bytes, 0)
  let done = 0
  const onBytes = (bytes: number): void => {
    done += bytes
    onProgress?.({ bytes: done, totalBytes })
  }
  const made: string[] = []
  const file = await open(path, 'r')
  try {
    for (const { name } of manifest.parts) {
      const entry = entryOf(parts, name)
      const target = join(toFolder, fileNames[name])
      const written = await open(target, 'wx', 0o600)
      made.push(target)
      await writeEntry(file, entry, written, parts, createGunzip(), onBytes)
    }
    syncFolder(toFolder)
  } catch (error) {
    await Promise.all(made.map((each) => rm(each, { force: true })))
    throw error
  } finally {
    await file.close()
  }
  return {
    logFile: join(toFolder, fileNames['events.db.gz']),
    userKeysFile: join(toFolder, fileNames['user-keys.db.gz']),
  }
}
