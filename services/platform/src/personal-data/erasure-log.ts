import { closeSync, existsSync, fstatSync, fsyncSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { withDatabase } from '../files/database-file.ts'
import { syncFolder } from '../files/durable-write.ts'
import type { PersonalDataVault } from './port.ts'

const recordSchema = z.object({ userId: z.string().min(1), erasedAt: z.iso.datetime() })
export type ErasureRecord = z.infer<typeof recordSchema>

const parse = (line: string): ErasureRecord | undefined => {
  try {
    return recordSchema.parse(JSON.parse(line))
  } catch {
    return undefined
  }
}

/**
 * The recorded erasures, each user once, the earliest first. A line that a crash truncated is ignored: its key was not destroyed yet,
 * and the erasure is repeated.
 */
export const readErasures = (file: string): readonly ErasureRecord[] => {
  if (!existsSync(file)) return []
  const records = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => parse(line) ?? [])
  return [...Map.groupBy(records, ({ userId }) => userId).values()].flatMap((of) => of.slice(0, 1))
}

const newline = 0x0a

/** Whether the last line lacks its newline, because a crash truncated it. */
const endsInsideLine = (descriptor: number): boolean => {
  const { size } = fstatSync(descriptor)
  if (size === 0) return false
  const last = Buffer.alloc(1)
  readSync(descriptor, last, 0, 1, size - 1)
  return last[0] !== newline
}

/** Appends the records. They are on disk when it returns. */
const addTo = (file: string, records: readonly ErasureRecord[]): void => {
  const isNew = !existsSync(file)
  // Readable, too, to check how the file ends.
  const descriptor = openSync(file, 'a+', 0o600)
  try {
    const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    writeSync(descriptor, `${endsInsideLine(descriptor) ? '\n' : ''}${lines}`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
  if (isNew) syncFolder(dirname(file))
}

/**
 * The erased users, in a file next to the master key and outside of every backup. A restore reads it, so that an older backup does
 * not bring back erased users.
 */
type ErasureLog = {
  /** Records an erasure, which is on disk when it returns. Has no effect for a recorded user. */
  record(userId: string, erasedAt: Date): void
  recordAll(records: readonly ErasureRecord[]): void
}

export const openErasureLog = (file: string): ErasureLog => {
  let known: Set<string> | undefined
  const recordAll = (records: readonly ErasureRecord[]): void => {
    const ids = (known ??= new Set(readErasures(file).map(({ userId }) => userId)))
    const added = records.filter(({ userId }) => !ids.has(userId))
    if (added.length === 0) return
    addTo(file, added)
    for (const { userId } of added) ids.add(userId)
  }
  return {
    recordAll,
    record: (userId, erasedAt) => recordAll([{ userId, erasedAt: erasedAt.toISOString() }]),
  }
}

/** Records each erasure before its key is destroyed, so that a restore never misses one. */
export const recordErasures = (vault: PersonalDataVault, erasuresFile: string): PersonalDataVault => {
  const erasures = openErasureLog(erasuresFile)
  return {
    ...vault,
    erase: async (userId) => {
      erasures.record(userId, new Date())
      return vault.erase(userId)
    },
  }
}

/** The users whose keys are marked as destroyed in a database of keys. */
export const erasedInKeysFile = (keysFile: string): readonly ErasureRecord[] =>
  withDatabase(keysFile, { readOnly: true, timeout: 5_000 }, (database) =>
    database
      .prepare('SELECT user_id, erased_at FROM user_keys WHERE erased_at IS NOT NULL ORDER BY erased_at')
      .all()
      .map((row) => ({ userId: String(row['user_id']), erasedAt: String(row['erased_at']) })),
  )

/** Imports erasures of earlier releases, which recorded them in the keys' database only. */
export const recordEarlierErasures = (keysFile: string, erasuresFile: string): void => {
  if (!existsSync(erasuresFile)) openErasureLog(erasuresFile).recordAll(erasedInKeysFile(keysFile))
}
