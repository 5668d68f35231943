import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { checksumIn, checksumLineBytes, manifestName } from './write-container.ts'
import { type Manifest, parseManifest } from './manifest.ts'
import { readChunks } from './read-chunks.ts'
import { blockBytes, endOfArchive, paddingOf, parseTarHeader, type TarEntry } from './tar-header.ts'

/** A manifest has one line per partition of each read model, usually a few megabytes. */
const maxManifestBytes = 64 * 1024 * 1024

export type ContainerEntry = {
  readonly name: string
  readonly bytes: number
  /** The offset of its content in the file. */
  readonly offset: number
  readonly sha256: string
}

export type InspectedContainer = {
  /** Whether it has the first entry or the last line of a backup. */
  readonly isContainer: boolean
  /** The checksum in the last line, if there is one. */
  readonly expected: string | undefined
  /** The checksum of all bytes before the last line. */
  readonly found: string
  /** Bytes between the end of the archive and the last line; undefined if the archive is truncated. */
  readonly bytesAfterArchive: number | undefined
  readonly entries: readonly ContainerEntry[]
  readonly manifest: string | undefined
}

/** Reads a file once from start to end and hashes every byte. */
const hashingReader = (file: FileHandle, end: number, whole: Hash, onBytes: (bytes: number) => void) => {
  let offset = 0
  return {
    offset: () => offset,
    /** Passes this many bytes to `onChunk`. Returns false if the file has fewer. */
    take: async (bytes: number, onChunk: (chunk: Buffer) => void = () => undefined): Promise<boolean> => {
      const wanted = Math.min(end, offset + bytes)
      const isComplete = offset + bytes <= end
      for await (const chunk of readChunks(file, offset, wanted)) {
        whole.update(chunk)
        onChunk(chunk)
        offset += chunk.length
        onBytes(offset)
      }
      return isComplete && offset === wanted
    },
  }
}
type HashingReader = ReturnType<typeof hashingReader>

const takeBlock = async (reader: HashingReader): Promise<Buffer | undefined> => {
  const block = Buffer.alloc(blockBytes)
  let filled = 0
  const isComplete = await reader.take(blockBytes, (chunk) => {
    filled += chunk.copy(block, filled)
  })
  return isComplete ? block : undefined
}

type Archive = Pick<InspectedContainer, 'entries' | 'manifest'> & { readonly hasEnd: boolean }

/** Reads the entries up to the end of the archive or the first invalid header. */
const walkArchive = async (reader: HashingReader): Promise<Archive> => {
  const entries: ContainerEntry[] = []
  let manifest: string | undefined
  for (;;) {
    const block = await takeBlock(reader)
    const header = block && parseTarHeader(block)
    if (header === undefined) return { entries, manifest, hasEnd: false }
    if (header === 'end') {
      const hasEnd = await reader.take(endOfArchive.length - blockBytes)
      return { entries, manifest, hasEnd }
    }
    const { name, bytes } = header
    const offset = reader.offset()
    const hash = createHash('sha256')
    const isManifest = name === manifestName && bytes <= maxManifestBytes
    const kept: Buffer[] = []
    const isComplete = await reader.take(bytes, (chunk) => {
      hash.update(chunk)
      if (isManifest) kept.push(Buffer.from(chunk))
    })
    if (!isComplete || !(await reader.take(paddingOf(bytes)))) return { entries, manifest, hasEnd: false }
    entries.push({ name, bytes, offset, sha256: hash.digest('hex') })
    if (isManifest) manifest = Buffer.concat(kept).toString('utf8')
  }
}

const readAt = async (file: FileHandle, from: number, bytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of readChunks(file, Math.max(0, from), from + bytes)) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

/** The first header of a backup. Undefined for another file. */
const manifestHeaderOf = async (file: FileHandle): Promise<TarEntry | undefined> => {
  const header = parseTarHeader(await readAt(file, 0, blockBytes))
  return typeof header === 'object' && header.name === manifestName ? header : undefined
}

/** Reads the whole file once, without judging it. */
export const inspectContainer = async (
  file: FileHandle,
  fileBytes: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<InspectedContainer> => {
  const expected = checksumIn(await readAt(file, fileBytes - checksumLineBytes, checksumLineBytes))
  const end = expected === undefined ? fileBytes : fileBytes - checksumLineBytes
  const isContainer = expected !== undefined || (await manifestHeaderOf(file)) !== undefined
  const whole = createHash('sha256')
  if (!isContainer)
    return { isContainer, expected, found: '', bytesAfterArchive: undefined, entries: [], manifest: undefined }
  const reader = hashingReader(file, end, whole, onBytes)
  const { entries, manifest, hasEnd } = await walkArchive(reader)
  const bytesAfterArchive = hasEnd ? end - reader.offset() : undefined
  await reader.take(end - reader.offset())
  return { isContainer, expected, found: whole.digest('hex'), bytesAfterArchive, entries, manifest }
}

/** The size of a whole backup. */
const wholeBytes = (manifestBytes: number, { parts }: Manifest): number =>
  [manifestBytes, ...parts.map(({ bytes }) => bytes)].reduce(
    (sum, bytes) => sum + blockBytes + bytes + paddingOf(bytes),
    endOfArchive.length + checksumLineBytes,
  )

type PeekedBackup = {
  /** Undefined if it cannot be read. */
  readonly manifest: Manifest | undefined
  /** Whether the beginning or the size of the file is wrong. Only a check finds other damage. */
  readonly isDamaged: boolean
}

/** Reads only the manifest at the beginning of a backup, and the size of the file. */
export const peekBackup = async (path: string): Promise<PeekedBackup> => {
  const file = await open(path, 'r')
  try {
    const header = await manifestHeaderOf(file)
    if (header === undefined || header.bytes > maxManifestBytes) return { manifest: undefined, isDamaged: true }
    const parsed = parseManifest((await readAt(file, blockBytes, header.bytes)).toString('utf8'))
    if (parsed.kind !== 'known') return { manifest: undefined, isDamaged: parsed.kind === 'invalid' }
    const { manifest } = parsed
    return { manifest, isDamaged: (await file.stat()).size !== wholeBytes(header.bytes, manifest) }
  } finally {
    await file.close()
  }
}
