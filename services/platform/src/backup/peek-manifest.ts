import { open } from 'node:fs/promises'
import { type Manifest, parseManifest } from './manifest.ts'
import { blockBytes, parseTarHeader } from './tar-header.ts'
import { manifestName } from './write-container.ts'

const mostManifestBytes = 64 * 1024 * 1024

/** The manifest at the beginning of a backup, without a look at the rest. Undefined for a file that has none. */
export const peekManifest = async (path: string): Promise<Manifest | undefined> => {
  const file = await open(path, 'r')
  try {
    const block = Buffer.alloc(blockBytes)
    await file.read(block, 0, blockBytes, 0)
    const header = parseTarHeader(block)
    if (typeof header !== 'object' || header.name !== manifestName || header.bytes > mostManifestBytes) return undefined
    const json = Buffer.alloc(header.bytes)
    await file.read(json, 0, header.bytes, blockBytes)
    const parsed = parseManifest(json.toString('utf8'))
    return parsed.kind === 'known' ? parsed.manifest : undefined
  } finally {
    await file.close()
  }
}
