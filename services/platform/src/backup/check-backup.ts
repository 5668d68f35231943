import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Publisher } from '../bus/publisher.ts'
import { readLogToEnd } from '../event-store/read-log-to-end.ts'
import type { EventLog } from '../event-store/sqlite/event-log.ts'
import type { ErasureRecord } from '../personal-data/erasure-log.ts'
import { deriveKeys } from '../personal-data/master-key.ts'
import { requireUserKeys } from '../personal-data/require-user-keys.ts'
import type { Projection } from '../projection/projection.ts'
import type { BackupRejection } from './backup-rejection.ts'
import { type BuildProgress, type ComparedReadModel, compareReadModels } from './compare-read-models.ts'
import type { Manifest } from './manifest.ts'
import { openBackup, type OpenedBackup } from './open-backup.ts'
import { countHeldKeys, countUndecryptableKeys, summarizeUserKeys } from './user-keys-file.ts'

export type CheckProgress =
  | { readonly step: 'verifying' | 'unpacking'; readonly bytes: number; readonly totalBytes: number }
  | { readonly step: 'counting events' | 'comparing' }
  | BuildProgress

type CheckOptions = {
  readonly path: string
  readonly projections: readonly Projection[]
  readonly publishers: readonly Publisher[]
  /** The available master key; undefined if there is none, so that nothing can be decrypted. */
  readonly masterKey: Uint8Array | undefined
  /** The known erasures. */
  readonly erasures: readonly ErasureRecord[]
  readonly logger: Logger
  readonly signal: AbortSignal
  onProgress?(progress: CheckProgress): void
}

export type CheckedBackup = {
  readonly ok: true
  readonly manifest: Manifest
  readonly readModels: readonly ComparedReadModel[]
  /** The number of erased users whose keys it still holds, until make backup-forget. */
  readonly erasedKeys: number
  /** Whether the users' keys were decrypted with the master key. False without one. */
  readonly isDecrypted: boolean
  /** One line each; empty for a good backup. */
  readonly problems: readonly string[]
}

const countEvents = async (log: EventLog, signal: AbortSignal): Promise<number> => {
  let events = 0
  for await (const _ of readLogToEnd(log)) {
    signal.throwIfAborted()
    events += 1
  }
  return events
}

const logProblems = async (
  log: EventLog,
  { log: expected }: Manifest,
  signal: AbortSignal,
): Promise<readonly string[]> => {
  const events = await countEvents(log, signal)
  const { end } = expected
  const isSameEnd = end === null ? (await log.end()) === 'start' : await log.holds(end)
  return [
    ...(events === expected.events ? [] : [`the log has ${events} events, the manifest says ${expected.events}`]),
    ...(isSameEnd ? [] : ['the log does not end where the manifest says']),
  ]
}

const keyProblems = async (log: EventLog, keysFile: string, manifest: Manifest): Promise<readonly string[]> => {
  const { masterKey, keys, erased } = summarizeUserKeys(keysFile)
  const { people } = manifest
  const isSame = masterKey === manifest.masterKey && keys === people.keys && erased === people.erased
  try {
    await requireUserKeys(log, keysFile)
  } catch {
    return ['the keys are not those of the users in the log']
  }
  return isSame ? [] : ['the keys are not those that the manifest describes']
}

const masterKeyProblems = (
  expected: string,
  available: Uint8Array | undefined,
  keysFile: string,
): readonly string[] => {
  if (available === undefined) return []
  const { fingerprint, wrapping } = deriveKeys(available)
  if (fingerprint !== expected)
    return ['the available master key did not wrap its keys: without the right one, personal data cannot be read']
  const undecryptable = countUndecryptableKeys(keysFile, wrapping)
  return undecryptable === 0 ? [] : [`${undecryptable} of its keys cannot be decrypted with the master key`]
}

const differenceLine = ({ projection, differences }: ComparedReadModel): string =>
  `${projection} differs: ${differences.map(({ partition, why }) => `${partition} (${why})`).join(', ')}`

const checkUnpacked = async (backup: OpenedBackup, folder: string, options: CheckOptions): Promise<CheckedBackup> => {
  const { manifest } = backup
  const { signal, onProgress } = options
  const { userKeysFile, openLog } = await backup.unpack(folder, {
    signal,
    onProgress: (progress) => onProgress?.({ step: 'unpacking', ...progress }),
  })
  const log = await openLog()
  try {
    onProgress?.({ step: 'counting events' })
    const problems = [
      ...masterKeyProblems(manifest.masterKey, options.masterKey, userKeysFile),
      ...(await logProblems(log, manifest, signal)),
      ...(await keyProblems(log, userKeysFile, manifest)),
    ]
    const readModels = await compareReadModels({ ...options, manifest, log, folder: join(folder, 'read-models') })
    const different = readModels.filter(({ differences }) => differences.length > 0)
    const erasedKeys = countHeldKeys(userKeysFile, options.erasures)
    return {
      ok: true,
      manifest,
      readModels,
      erasedKeys,
      isDecrypted: options.masterKey !== undefined,
      problems: [...problems, ...different.map(differenceLine)],
    }
  } finally {
    await log.close()
  }
}

/** Restores a backup into a temporary folder, rebuilds its read models and compares them with the manifest. */
export const checkBackup = async (options: CheckOptions): Promise<CheckedBackup | BackupRejection> => {
  const { path, signal, onProgress } = options
  const backup = await openBackup(path, {
    signal,
    onProgress: (progress) => onProgress?.({ step: 'verifying', ...progress }),
  })
  if (!backup.ok) return backup
  const folder = await mkdtemp(join(tmpdir(), 'portal-backup-check-'))
  try {
    return await checkUnpacked(backup, folder, options)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
