import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename } from 'node:path'
import { performance } from 'node:perf_hooks'
import { hasBackup } from '@portal/platform/backup/backup-folder'
import { checkBackup, type CheckedBackup } from '@portal/platform/backup/check-backup'
import { saveCheck } from '@portal/platform/backup/last-backup'
import { operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import { erasedInKeysFile, type ErasureRecord, readErasures } from '@portal/platform/personal-data/erasure-log'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { createCommandLogger } from '../output/command-logger.ts'
import { CommandError, runCommand, stopSignal } from '../command.ts'
import { endNow } from '../output/print.ts'
import { printResult, reportOwnSteps } from '../output/report-steps.ts'
import { publishers } from '../replay/replayed-projections.ts'
import { projections } from '../settings/consumers.ts'
import { hasStore, operatorConfig } from '../settings/operator-config.ts'
import { withServingReadModels } from '../settings/serving-read-models.ts'
import { chosenBackup } from './backup-arguments.ts'
import { wrapDiskErrors } from './disk-errors.ts'
import { findMasterKey, requireKeyOf } from './master-key.ts'
import { recordAfterwards } from './record-afterwards.ts'
import { checkProgressText, checkText } from './present.ts'

/** The erasures that are recorded on this machine. The keys in EventStoreDB are not read. */
const knownErasures = ({ dataDir }: Config): readonly ErasureRecord[] => {
  const { erasures, userKeys } = dataFiles(dataDir)
  const inKeys = existsSync(userKeys) ? erasedInKeysFile(userKeys) : []
  return [...new Map([...readErasures(erasures), ...inKeys].map((each) => [each.userId, each])).values()]
}

type Keys = { readonly masterKey: Uint8Array | undefined; readonly fingerprint: string | undefined }

const check = async (config: Config, path: string, { masterKey, fingerprint }: Keys): Promise<CheckedBackup> => {
  const { env } = process
  const steps = reportOwnSteps(env)
  const checking = checkBackup({
    path,
    projections,
    publishers,
    masterKey,
    erasures: knownErasures(config),
    logger: createCommandLogger(),
    signal: stopSignal(),
    onProgress: (progress) => steps.report(progress, () => checkProgressText(progress)),
  })
  const checked = await wrapDiskErrors(tmpdir(), () => checking.finally(steps.end))
  if (!checked.ok) {
    const unread = { file: basename(path), events: 0, readModels: 0, isGood: false }
    const { dataDir } = config
    await recordAfterwards({ what: 'The check failed', dataDir }, () => recordCheck(config, unread, { fingerprint }))
    throw new CommandError(checked.message)
  }
  return checked
}

type CheckResult = {
  readonly file: string
  readonly events: number
  readonly readModels: number
  readonly isGood: boolean
}

type CheckedFile = { readonly fingerprint: string | undefined; readonly madeAt?: string }

/** Records the result in the log, and where `make status`, the metric and `KEEP` find which backups are good. */
const recordCheck = async (config: Config, what: CheckResult, { fingerprint, madeAt }: CheckedFile): Promise<void> => {
  const { file, isGood } = what
  // A copy elsewhere or under another name, or another portal's, says nothing about the backups of this one.
  const isInFolder = await hasBackup(config.backupDir, file, fingerprint)
  await withServingReadModels(config, async ({ control }) => {
    if (control !== undefined && isInFolder)
      await saveCheck(control, { file, madeAt, check: { at: new Date().toISOString(), isGood } })
  })
  if (hasStore(config)) await recordOperation(config, { type: 'BackupChecked', data: { by: operatorName(), what } })
}

/** `make backup-check`: checks whether the newest backup, or FROM, can be restored. Exit code 1 if not. */
await runCommand(async () => {
  const { env } = process
  const startedAtMs = performance.now()
  const config = await operatorConfig(env)
  const found = await findMasterKey(config)
  const path = await chosenBackup(config, env, found.fingerprint)
  const masterKey = requireKeyOf(found)
  if (found.notCompared !== undefined)
    process.stderr.write(`${found.notCompared}. The master key is compared with the backup only\n`)
  const { fingerprint } = found
  const checked = await check(config, path, { masterKey, fingerprint })
  const tookMs = Math.round(performance.now() - startedAtMs)
  const { manifest, readModels, problems, erasedKeys, isDecrypted } = checked
  const isGood = problems.length === 0
  const what = { file: basename(path), events: manifest.log.events, readModels: readModels.length, isGood }
  const data = {
    ...what,
    path,
    madeAt: manifest.madeAt,
    compared: readModels,
    problems,
    erasedKeys,
    isDecrypted,
    tookMs,
  }
  printResult(env, data, () => checkText(checked, tookMs))
  if (!isGood) process.exitCode = 1
  const { dataDir } = config
  await recordAfterwards({ what: 'The backup is checked', dataDir }, () =>
    recordCheck(config, what, { fingerprint, madeAt: manifest.madeAt }),
  )
})
endNow()
