import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { openEventStore } from '@portal/platform/adapters/open-adapters'
import { openBackupSource } from '@portal/platform/backup/open-backup-source'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import { dataFiles } from '@portal/platform/files/data-folder'
import { requireLocalStorage } from '@portal/platform/files/local-storage'
import type { ReplayOptions } from '@portal/platform/generations/replay'
import { appendOperation, type Operation, operatorName } from '@portal/platform/operations/operation'
import { securityEventOf } from '@portal/platform/operations/record-operation'
import { fingerprintOfKeys } from '@portal/platform/personal-data/stored-user-keys'
import { type CopyStep, copyStore, resumableMark, type StoreTarget } from '@portal/platform/restore/copy-store'
import { requireCompleteStore } from '@portal/platform/restore/open-marks'
import { openTarget } from '@portal/platform/restore/open-target'
import type { CopyingRun, RestoreMark } from '@portal/platform/restore/restore-mark'
import { recordOperatorEvent } from '@portal/platform/security-log/open-security-log'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import type { CopyProgress } from '../restore/copy-progress.ts'
import { requireEmpty, requireMasterKey, requireRoom, whilePortalIsStopped } from '../restore/preconditions.ts'
import { rebuildReadModels } from '../restore/rebuild-read-models.ts'
import { type EventLog, openLog, wrapEngineErrors } from '../settings/open-engines.ts'
import { fileOf, isFile, displayAddressOf } from '../settings/engine-addresses.ts'

/** Copies all user keys of a stopped portal into a database in the folder. Returns its path. */
const copyKeysOf = async (
  { eventStoreUrl, dataDir }: Pick<Config, 'eventStoreUrl' | 'dataDir'>,
  workFolder: string,
  signal: AbortSignal,
): Promise<string> => {
  const path = join(workFolder, 'user-keys.db')
  const source = await openBackupSource(eventStoreUrl, dataFiles(dataDir).userKeys)
  try {
    await source.copyKeys(path, signal)
    return path
  } finally {
    await source.close()
  }
}

export type MoveStep = CopyStep | 'rebuilt' | 'recorded'

type MoveOptions = {
  /** The settings before the move. */
  readonly config: Config
  /** The address of the new event store. */
  readonly to: string
  readonly stamp: string
  readonly signal: AbortSignal
  onProgress?(progress: CopyProgress): void
  onReplay?: NonNullable<ReplayOptions['onProgress']>
  /** Called after each step, for tests. */
  reached?(step: MoveStep): Promise<void> | void
}

export type Moved = {
  readonly from: string
  readonly to: string
  readonly events: number
  readonly readModels: readonly string[]
}

type Copied = Extract<RestoreMark, { step: 'copied' }>

const countEvents = async (log: EventLog): Promise<number> => {
  let events = 0
  for await (const _ of readLogToEnd(log, 'start', 'all')) events += 1
  return events
}

const copyFrom = async (
  { signal, onProgress, reached }: MoveOptions,
  source: { readonly log: EventLog; readonly keysFile: string },
  target: StoreTarget,
  run: CopyingRun,
): Promise<Copied> => {
  const totalEvents = await countEvents(source.log)
  return copyStore({
    source,
    target,
    run,
    signal,
    onCopied: (events) => onProgress?.({ step: 'copying events', events, totalEvents }),
    ...(reached && { onStep: reached }),
  })
}

/** Rebuilds the read models for the new positions, and records the move. */
const complete = async (options: MoveOptions, next: Config, copied: Copied): Promise<Moved> => {
  const { config, stamp, signal, onReplay, reached } = options
  const results = await rebuildReadModels({
    config: next,
    noticedBy: 'make move-log',
    force: true,
    stamp,
    signal,
    ...(onReplay && { onProgress: onReplay }),
  })
  await reached?.('rebuilt')
  const what = {
    from: displayAddressOf(config.eventStoreUrl),
    to: displayAddressOf(next.eventStoreUrl),
    events: copied.events,
  }
  const eventStore = await openEventStore(next.eventStoreUrl)
  try {
    const operation: Operation = { type: 'LogMoved', data: { by: operatorName(), what } }
    await appendOperation(eventStore, { id: copied.id, operation })
    recordOperatorEvent(config, securityEventOf(operation))
  } finally {
    await eventStore.close()
  }
  await reached?.('recorded')
  return { ...what, readModels: results.map(({ generation }) => generation) }
}

const runOf = ({ eventStoreUrl }: Config, to: string): CopyingRun => ({
  command: 'move-log',
  id: systemClockAndIds.newId(),
  source: displayAddressOf(eventStoreUrl),
  runAgain: `make move-log TO=${isFile(to) ? to : displayAddressOf(to)}`,
})

const moveWith = async (options: MoveOptions, next: Config, workFolder: string): Promise<Moved> => {
  const { config, to, signal } = options
  const log = await openLog(config)
  try {
    const keysFile = await copyKeysOf(config, workFolder, signal)
    const fingerprint = fingerprintOfKeys(keysFile)
    if (fingerprint === undefined) throw new CommandError('There is nothing to move: the portal has never been started')
    const target = await openTarget(next, requireMasterKey(config, fingerprint, 'the portal'))
    try {
      const run = runOf(config, to)
      await wrapEngineErrors('The event store', to, () => target.marks.check())
      const before = await resumableMark(target.marks, run)
      if (before === undefined) await requireEmpty(next)
      if (isFile(to))
        requireRoom(config.dataDir, [keysFile, ...(isFile(config.eventStoreUrl) ? [fileOf(config.eventStoreUrl)] : [])])
      const copied = await copyFrom(options, { log, keysFile }, target, run)
      const moved = await complete(options, next, copied)
      await target.marks.clear()
      return moved
    } finally {
      await target.marks.close()
    }
  } finally {
    await log.close()
  }
}

/**
 * Copies the log and the users' keys of a stopped portal into another, empty event store, and rebuilds the read models. The source is
 * not changed. After an interruption, no portal starts on the new store, and the same call resumes the move.
 */
export const moveLog = async (options: MoveOptions): Promise<Moved> => {
  const { config, to } = options
  const next: Config = { ...config, eventStoreUrl: to }
  if (config.readModelUrl.startsWith('memory:'))
    throw new CommandError('READ_MODEL_URL: in-memory read models cannot be rebuilt')
  if (displayAddressOf(to) === displayAddressOf(config.eventStoreUrl))
    throw new CommandError(`TO: the log is at ${displayAddressOf(to)} already`)
  if (isFile(to) && isFile(config.eventStoreUrl))
    throw new CommandError('TO: to move a portal on SQLite to another folder, use make backup and make restore')
  requireLocalStorage(next)
  return whilePortalIsStopped(config, async () => {
    await requireCompleteStore(config)
    const workFolder = join(config.dataDir, '.moving')
    try {
      await rm(workFolder, { recursive: true, force: true })
      mkdirSync(workFolder, { mode: 0o700 })
      return await moveWith(options, next, workFolder)
    } finally {
      await rm(workFolder, { recursive: true, force: true })
    }
  })
}
