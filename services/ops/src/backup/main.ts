import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { pruneBackups, withBackupFolder } from '@portal/platform/backup/backup-folder'
import { failedFiles, loadLastBackup, saveLastBackup } from '@portal/platform/backup/last-backup'
import { makeBackup, type MadeBackup } from '@portal/platform/backup/make-backup'
import { findForeignLog } from '@portal/platform/discontinuity/log-identity'
import { shownAddressOf } from '@portal/platform/files/storage-urls'
import { operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import type { ReadModel } from '@portal/platform/read-model/port'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openBackupSource } from '@portal/platform/backup/open-backup-source'
import { CommandError, runCommand, stopSignal } from '../command.ts'
import { endNow } from '../output/print.ts'
import { printResult, reportOwnSteps } from '../output/report-steps.ts'
import { openLog, withLog, wrapEngineErrors } from '../settings/open-engines.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { openServingReadModels, type ServingReadModels } from '../settings/serving-read-models.ts'
import { keepOf } from './backup-arguments.ts'
import { wrapDiskErrors } from './disk-errors.ts'
import { findMasterKey } from './master-key.ts'
import { recordAfterwards } from './record-afterwards.ts'
import { backupData, backupText, progressText } from './present.ts'
import { completeProjections } from './served-projections.ts'

/** Throws a CommandError if there is no portal to back up, or if its event store does not respond. */
const requireStore = async (config: Config): Promise<void> => {
  const log = await openLog(config)
  await log.close()
  const { userKeys } = dataFiles(config.dataDir)
  if (isFile(config.eventStoreUrl) && !existsSync(userKeys))
    throw new CommandError(`${userKeys} is missing: there is no portal to back up, or its keys are lost`)
}

/** An empty or another event store is no backup of this portal, and KEEP would remove good ones for it. */
const requireOwnLog = async (config: Config, control: ReadModel | undefined): Promise<void> => {
  if (control === undefined) return
  const foreign = await withLog(config, (log) => findForeignLog(shownAddressOf(config.eventStoreUrl), log, control))
  if (foreign !== undefined) throw foreign
}

/** A backup without read model digests is still useful, because it can be restored. */
const openIfUp = async (config: Config): Promise<ServingReadModels | undefined> => {
  try {
    return await openServingReadModels(config)
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    process.stderr.write(`${error.message}; making the backup without read model digests\n`)
    return undefined
  }
}

const backUp = async (config: Config, readModels: ServingReadModels | undefined): Promise<MadeBackup> => {
  const { env } = process
  const steps = reportOwnSteps(env)
  const { eventStoreUrl, backupDir, dataDir } = config
  const open = () => openBackupSource(eventStoreUrl, dataFiles(dataDir).userKeys)
  const source = await wrapEngineErrors('The event store', eventStoreUrl, open)
  try {
    return await makeBackup({
      source,
      folder: backupDir,
      served: readModels === undefined ? [] : await completeProjections(readModels),
      now: new Date(),
      signal: stopSignal(),
      onProgress: (progress) => steps.report(progress, () => progressText(progress)),
    })
  } finally {
    steps.end()
    await source.close()
  }
}

const record = async (
  config: Config,
  readModels: ServingReadModels | undefined,
  { path, bytes, manifest }: MadeBackup,
) => {
  const { madeAt, log } = manifest
  const what = { file: basename(path), events: log.events, bytes }
  const control = readModels?.control
  if (control !== undefined) await saveLastBackup(control, { madeAt, file: what.file, events: what.events }, Date.now())
  await recordOperation(config, { type: 'BackupMade', data: { by: operatorName(), what } })
}

/** Removes all but the newest good backups of this portal. Others may share the folder. */
const prune = async (
  { backupDir }: Config,
  readModels: ServingReadModels | undefined,
  { keep, made }: { readonly keep: number; readonly made: MadeBackup },
): Promise<readonly string[]> => {
  if (readModels === undefined) {
    process.stderr.write('KEEP removes nothing, because it is unknown which backups passed their check\n')
    return []
  }
  const recorded = readModels.control && (await loadLastBackup(readModels.control))
  const failed = recorded ? failedFiles(recorded) : []
  const own = { made: basename(made.path), fingerprint: made.manifest.masterKey }
  const passed = recorded?.passed?.file
  return withBackupFolder(backupDir, () => pruneBackups(backupDir, { ...own, keep, failed, passed }))
}

/** `make backup`: writes the log and the users' keys to one file. The portal may be running. */
await runCommand(async () => {
  const { env } = process
  const keep = keepOf(env)
  const config = await operatorConfig(env)
  const { backupDir } = config
  await requireStore(config)
  const masterKey = await findMasterKey(config)
  if (masterKey.notCompared !== undefined) throw new CommandError(masterKey.notCompared)
  const readModels = await openIfUp(config)
  try {
    await requireOwnLog(config, readModels?.control)
    const made = await wrapDiskErrors(backupDir, () => backUp(config, readModels))
    const removed = keep === undefined ? [] : await prune(config, readModels, { keep, made })
    const done = { made, removed }
    const { problem } = masterKey
    printResult(env, backupData(done, config, problem), () => backupText(done, config, problem))
    // A backup that cannot be decrypted is no success, though it is complete.
    if (problem !== undefined) process.exitCode = 1
    await recordAfterwards({ what: 'The backup is complete', dataDir: config.dataDir }, () =>
      record(config, readModels, made),
    )
  } finally {
    await readModels?.close()
  }
})
endNow()
