import { createHash } from 'node:crypto'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '../files/durable-write.ts'
import { checksumLine, checksumLineBytes } from './checksum-line.ts'
import type { Manifest } from './manifest.ts'
import { readChunks } from './read-chunks.ts'
import { endOfArchive, paddingOf, tarHeader } from './tar-header.ts'

export const manifestName = 'manifest.json'

export type ContainerOptions = {
  /** The backup's name once it is complete. Replaces a file of that name. */
  readonly path: string
  /** On the same file system. */
  readonly partialPath: string
  readonly manifest: Manifest
  /** Holds a file for each part of the manifest, under its name. */
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

/** Writes the backup under its partial name and renames it once every byte is on disk. Returns its size in bytes. */
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
