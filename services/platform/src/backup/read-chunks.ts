import type { FileHandle } from 'node:fs/promises'

type ReadProgress = { readonly bytes: number; readonly totalBytes: number }
export type ReadOptions = {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: ReadProgress) => void
}

const chunkBytes = 1024 * 1024

/** The bytes from one offset to another, or to the end of a shorter file. A chunk is valid until the next one is read. */
export async function* readChunks(file: FileHandle, from: number, to: number): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(chunkBytes, to - from)))
  let offset = from
  while (offset < to) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, to - offset), offset)
    if (bytesRead === 0) return
    offset += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}
