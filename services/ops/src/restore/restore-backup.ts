import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pendingDeliveriesProjection } from '@portal/notifications/delivery/pending-deliveries'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import type { OpenedBackup, UnpackedBackup } from '@portal/platform/backup/open-backup'
import { compareReadModels } from '@portal/platform/backup/compare-read-models'
import type { EventStore } from '@portal/platform/event-store/port'
import type { EventLog } from '@portal/platform/event-store/sqlite/event-log'
import { appendOperation, type Operation, operatorName } from '@portal/platform/operations/operation'
import { securityEventOf } from '@portal/platform/operations/record-operation'
import { recordOperatorEvent } from '@portal/platform/security-log/open-security-log'
import { type CopyStep, copyStore, resumableMark, type StoreTarget } from '@portal/platform/restore/copy-store'
import { openTarget } from '@portal/platform/restore/open-target'
import type { CopyingRun, RestoreMark } from '@portal/platform/restore/restore-mark'
import type { Replayed, ReplayOptions } from '@portal/platform/generations/replay'
import type { Config } from '@portal/platform/settings/config'
import { createCommandLogger } from '../output/command-logger.ts'
import { dataFiles } from '@portal/platform/files/data-folder'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { openEventStore, openVault } from '@portal/platform/adapters/open-adapters'
import { CommandError } from '../command.ts'
import { wrapEngineErrors } from '../settings/open-engines.ts'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { publishers } from '../replay/replayed-projections.ts'
import { projections } from '../settings/consumers.ts'
import { baselinesOf, keepsPositions, rebuildReadModels } from './rebuild-read-models.ts'
import { applyErasures, knownErasures } from './known-erasures.ts'
import type { CopyProgress } from './copy-progress.ts'
import { expirePendingDeliveries, endHeldSends } from './expire-pending-deliveries.ts'
import { requireEmpty, requireMasterKey, requireRoom, whilePortalIsStopped } from './preconditions.ts'

export type RestoreStep = CopyStep | 'unpacked' | 'erased' | 'rebuilt' | 'expired' | 'recorded'

type RestoreOptions = {
  readonly config: Config
  readonly backup: OpenedBackup
  /** Records of erasures outside of the data folder, such as those of other processes. */
  readonly erasuresFiles?: readonly string[]
  /** Activates read models even if they differ from those of the backup. */
  readonly force: boolean
  /** Time of the restore, like '20261121t140102'. */
  readonly stamp: string
  readonly signal: AbortSignal
  onProgress?(progress: CopyProgress): void
  onReplay?: NonNullable<ReplayOptions['onProgress']>
  /** Called after each step, for tests. */
  reached?(step: RestoreStep): Promise<void> | void
}

export type Restored = {
  readonly file: string
  readonly madeAt: string
  readonly events: number
  /** Users who were erased since the backup was made. */
  readonly erased: number
  /** Recipients whose push was pending when the backup was made. */
  readonly expired: number
  readonly readModels: readonly Pick<Replayed, 'projection' | 'compared' | 'differences'>[]
  /** Error messages of other backups that could not be searched for later erasures. */
  readonly unreadable: readonly string[]
}

const runOf = ({ manifest, path }: OpenedBackup): CopyingRun => ({
  command: 'restore',
  id: systemClockAndIds.newId(),
  source: createHash('sha256').update(JSON.stringify(manifest)).digest('hex'),
  runAgain: `make restore FROM=${path}`,
})

type Copied = Extract<RestoreMark, { step: 'copied' }>

const differencesLine = (compared: readonly Pick<Replayed, 'projection' | 'differences'>[]): string => {
  const named = compared
    .filter(({ differences }) => differences.length > 0)
    .map(
      ({ projection, differences }) => `${projection} in ${differences.map(({ partition }) => partition).join(', ')}`,
    )
  return `The read models differ from those of the backup (${named.join('; ')}). To accept this: FORCE=1`
}

/** If events get new positions, compares read models built from the backup's log, before anything is copied. */
const requireEqualReadModels = async (options: RestoreOptions, log: EventLog, folder: string): Promise<void> => {
  const { config, backup, force, signal, onProgress } = options
  const { manifest } = backup
  if (force || keepsPositions(manifest, config)) return
  const logger = createCommandLogger()
  const compared = await compareReadModels({
    manifest,
    log,
    projections,
    publishers,
    folder,
    logger,
    signal,
    onProgress: ({ step }) => onProgress?.({ step }),
  })
  if (compared.some(({ differences }) => differences.length > 0)) throw new CommandError(differencesLine(compared))
}

const copyUnpacked = async (
  options: RestoreOptions,
  target: StoreTarget,
  run: CopyingRun,
  unpacked: UnpackedBackup,
): Promise<Copied> => {
  const { signal, onProgress, backup, reached } = options
  const log = await unpacked.openLog()
  const totalEvents = backup.manifest.log.events
  try {
    await requireEqualReadModels(options, log, join(dirname(unpacked.logFile), 'read-models'))
    return await copyStore({
      source: { log, keysFile: unpacked.userKeysFile },
      target,
      run,
      signal,
      onCopied: (events) => onProgress?.({ step: 'copying events', events, totalEvents }),
      ...(reached && { onStep: reached }),
    })
  } finally {
    await log.close()
  }
}

/** Unpacks the backup first, so that a full disk is detected before the store is marked. */
const copyBackup = async (options: RestoreOptions, target: StoreTarget, workFolder: string): Promise<Copied> => {
  const { config, backup, signal, onProgress, reached } = options
  const run = runOf(backup)
  await wrapEngineErrors('The event store', config.eventStoreUrl, () => target.marks.check())
  const before = await resumableMark(target.marks, run)
  if (before?.step === 'copied') return before
  if (before === undefined) await requireEmpty(config)
  const unpacked = await backup.unpack(workFolder, {
    signal,
    onProgress: (unpacking) => onProgress?.({ step: 'unpacking', ...unpacking }),
  })
  requireRoom(config.dataDir, [unpacked.logFile, unpacked.userKeysFile])
  await reached?.('unpacked')
  return copyUnpacked(options, target, run, unpacked)
}

const rebuild = async (options: RestoreOptions): Promise<readonly Replayed[]> => {
  const { config, backup, force, stamp, signal, onReplay } = options
  const results = await rebuildReadModels({
    config,
    noticedBy: 'make restore',
    baselineOf: baselinesOf(backup.manifest, config),
    force,
    stamp,
    signal,
    ...(onReplay && { onProgress: onReplay }),
  })
  if (results.some(({ outcome }) => outcome === 'refused')) throw new CommandError(differencesLine(results))
  return results
}

const expirePending = (config: Config, eventStore: EventStore, signal: AbortSignal): Promise<number> =>
  withServingReadModels(config, async (serving) => {
    const [ledger, inbox] = [await serving.of(pendingDeliveriesProjection), await serving.of(inboxProjection)]
    if (ledger === undefined || inbox === undefined) return 0
    await endHeldSends({ inbox: inbox.readModel, eventStore, nowMs: systemClockAndIds.now().getTime() }, signal)
    return expirePendingDeliveries({ ledger: ledger.readModel, inbox: inbox.readModel, eventStore }, signal)
  })

/** Completes the restore: erasures, read models, pending deliveries and the recorded operation. */
const complete = async (options: RestoreOptions, copied: Copied, workFolder: string): Promise<Restored> => {
  const { config, backup, signal, reached } = options
  const { userKeys: keysFile, masterKey: masterKeyFile, erasures: erasuresFile } = dataFiles(config.dataDir)
  const known = await knownErasures(backup, [erasuresFile, ...(options.erasuresFiles ?? [])], workFolder, signal)
  const eventStore = await openEventStore(config.eventStoreUrl)
  try {
    const vaultFiles = { keysFile, masterKeyFile, masterKey: config.masterKey, erasuresFile }
    const vault = await openVault(config.eventStoreUrl, vaultFiles)
    const erased = await applyErasures({ eventStore, vault }, known.userIds, signal).finally(vault.close)
    await reached?.('erased')
    const readModels = await rebuild(options)
    await reached?.('rebuilt')
    const expired = await expirePending(config, eventStore, signal)
    await reached?.('expired')
    const { madeAt } = backup.manifest
    const what = { file: basename(backup.path), madeAt, events: copied.events, erased }
    const operation: Operation = { type: 'BackupRestored', data: { by: operatorName(), what } }
    await appendOperation(eventStore, { id: copied.id, operation })
    recordOperatorEvent(config, securityEventOf(operation))
    await reached?.('recorded')
    return { ...what, expired, readModels, unreadable: known.unreadable }
  } finally {
    await eventStore.close()
  }
}

/**
 * Restores a backup into an empty event store and builds the read models, while no portal is running. After an interruption, no portal
 * starts on the store, and the same call resumes the restore. Throws a CommandError without changes if the target is not empty or the
 * master key is wrong.
 */
export const restoreBackup = async (options: RestoreOptions): Promise<Restored> => {
  const { config, backup } = options
  if (config.readModelUrl.startsWith('memory:'))
    throw new CommandError('READ_MODEL_URL: in-memory read models cannot be restored')
  const masterKey = requireMasterKey(config, backup.manifest.masterKey, 'the backup')
  return whilePortalIsStopped(config, async () => {
    const target = await openTarget(config, masterKey)
    const workFolder = join(config.dataDir, '.restoring')
    try {
      await rm(workFolder, { recursive: true, force: true })
      mkdirSync(workFolder, { mode: 0o700 })
      const copied = await copyBackup(options, target, workFolder)
      const restored = await complete(options, copied, workFolder)
      await target.marks.clear()
      return restored
    } finally {
      await rm(workFolder, { recursive: true, force: true })
      await target.marks.close()
    }
  })
}
