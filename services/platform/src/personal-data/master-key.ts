import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { writeSecretFile } from '../files/durable-write.ts'
import { keyBytes } from './encryption.ts'

/** The master key is missing or did not wrap the users' keys. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError'
  readonly isUserFacing = true
}

/** One derived key per purpose. */
export type DerivedKeys = {
  readonly wrapping: Uint8Array
  readonly index: Uint8Array
  /** The seed of the key that signs pushes. */
  readonly push: Uint8Array
  /** Signs the tokens that end e-mails about notifications. */
  readonly unsubscribe: Uint8Array
  /** Identifies the key without revealing it. */
  readonly fingerprint: string
}

const derive = (master: Uint8Array, purpose: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', master, Buffer.alloc(0), `portal ${purpose}`, keyBytes))

export const deriveKeys = (master: Uint8Array): DerivedKeys => ({
  wrapping: derive(master, 'wrapping'),
  index: derive(master, 'index'),
  push: derive(master, 'push'),
  unsubscribe: derive(master, 'unsubscribe'),
  fingerprint: createHmac('sha256', derive(master, 'fingerprint')).update('portal').digest('hex'),
})

const read = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Creates the key file unless another process was faster, and returns its content. */
const create = (path: string): string => {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}.new`
  writeSecretFile(temporary, `${randomBytes(keyBytes).toString('hex')}\n`)
  try {
    // Unlike rename, link fails if the file exists, so a key in use is never replaced.
    linkSync(temporary, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(temporary)
  }
  return read(path) ?? ''
}

/** Backups never hold the key. */
const putBack = 'no backup holds it. Put your separate copy there, or set MASTER_KEY (docs/backup.md)'

/** Reads the key file, or creates it if it is missing and `mayCreate` is set. */
export const loadMasterKey = (path: string, mayCreate: boolean): Uint8Array => {
  const found = read(path) ?? (mayCreate ? create(path) : undefined)
  if (found === undefined) {
    throw new MasterKeyError(`${path} is missing, but there are users whose data it protects: ${putBack}`)
  }
  if (!/^[0-9a-f]{64}$/i.test(found)) {
    throw new MasterKeyError(`${path} does not hold a key (64 hexadecimal characters): ${putBack}`)
  }
  return Buffer.from(found, 'hex')
}
