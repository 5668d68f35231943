import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { syncFolder } from '../files/durable-write.ts'
import type { Manifest, ManifestPart, PartName } from './manifest.ts'
import { readChunks } from './read-chunks.ts'
import { endOfArchive, paddingOf, tarHeader } from './tar-header.ts'

/** Half of the default's time, for a tenth more bytes. */
const compressionLevel = 3

/** Compresses a file into the folder under the part's name, and removes the file. */
export const packPart = async (
  file: string,
  folder: string,
  name: PartName,
  signal: AbortSignal,
): Promise<ManifestPart> => {
  const target = join(folder, name)
  const hash = createHash('sha256')
  const hashed = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk)
      yield chunk
    }
  }
  const source = createReadStream(file, { highWaterMark: 1024 * 1024 })
  const written = createWriteStream(target, { flags: 'wx', mode: 0o600 })
  try {
    await pipeline(source, createGzip({ level: compressionLevel }), hashed, written, { signal })
  } catch (error) {
    // The error of an aborted pipeline lacks the reason.
    signal.throwIfAborted()
    throw error
  }
  await rm(file)
  return { name, bytes: (await stat(target)).size, sha256: hash.digest('hex') }
}

/** The last line of a backup: the SHA-256 of all bytes before it. */
const checksumLine = (sha256: string): string => `sha256 ${sha256}\n`

export const checksumLineBytes = checksumLine('0'.repeat(64)).length

/** Undefined if the bytes are not a checksum line. */
export const checksumIn = (line: Buffer): string | undefined =>
  /^sha256 ([0-9a-f]{64})\n$/.exec(line.toString('latin1'))?.[1]

export const manifestName = 'manifest.json'

type ContainerOptions = {
  /** The final path. An existing file is replaced. */
  readonly path: string
  /** Path of the unfinished file, on the same file system. */
  readonly partialPath: string
  readonly manifest: Manifest
  /** Contains a file for each part of the manifest, under its name. */
  readonly partsFolder: string
  readonly signal?: AbortSignal
}

const writeEntries = async (file: FileHandle, options: ContainerOptions): Promise<number> => {
  const { manifest, partsFolder, signal } = options
  const hash = createHash('sha256')
  let written = 0
  const write = async (bytes: Buffer): Promise<void> => {
    hash.update(bytes)
    written += bytes.length
    await file.writeFile(bytes)
  }
  const writePart = async (path: string, bytes: number): Promise<void> => {
    const part = await open(path, 'r')
    try {
      for await (const chunk of readChunks(part, 0, bytes)) {
        signal?.throwIfAborted()
        await write(chunk)
      }
    } finally {
      await part.close()
    }
  }
  const madeAt = new Date(manifest.madeAt)
  const json = Buffer.from(`${JSON.stringify(manifest, undefined, 2)}\n`)
  await write(tarHeader({ name: manifestName, bytes: json.length }, madeAt))
  await write(json)
  await write(Buffer.alloc(paddingOf(json.length)))
  for (const { name, bytes } of manifest.parts) {
    await write(tarHeader({ name, bytes }, madeAt))
    await writePart(join(partsFolder, name), bytes)
    await write(Buffer.alloc(paddingOf(bytes)))
  }
  await write(endOfArchive)
  await file.writeFile(checksumLine(hash.digest('hex')))
  return written + checksumLineBytes
}

/** Writes the backup under its partial name and renames it after a sync. Returns its size in bytes. */
export const writeContainer = async (options: ContainerOptions): Promise<number> => {
  const file = await open(options.partialPath, 'wx', 0o600)
  let bytes: number
  try {
    bytes = await writeEntries(file, options)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(options.partialPath, options.path)
  syncFolder(dirname(options.path))
  return bytes
}
