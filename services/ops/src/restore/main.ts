import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { openBackup } from '@portal/platform/backup/open-backup'
import { stampOf } from '@portal/platform/generations/generations'
import { wrapDiskErrors } from '../backup/disk-errors.ts'
import { CommandError, runCommand, stopSignal } from '../command.ts'
import { counted, duration, moment } from '../output/format.ts'
import { endNow, type Environment, isJsonOutput, isOn, print } from '../output/print.ts'
import { reportSteps } from '../output/report-steps.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { type CopyProgress, copyProgressText, replayProgressText } from './copy-progress.ts'
import { restoreBackup, type Restored } from './restore-backup.ts'

const comparisonText = (readModels: Restored['readModels']): string => {
  const compared = readModels.filter((readModel) => readModel.compared > 0)
  const equal = compared.filter(({ differences }) => differences.length === 0)
  const built = `${counted(readModels.length, 'read model')} rebuilt`
  if (compared.length === 0) return built
  return equal.length === compared.length ? `${built}, all equal` : `${built}, ${equal.length} equal`
}

const restoredText = (restored: Restored, tookMs: number): string => {
  const { madeAt, events, erased, expired, readModels, unreadable } = restored
  return [
    ...unreadable.map((message) => `Not searched for later erasures: ${message}`),
    `Restored the backup of ${moment(madeAt)}: ${counted(events, 'event')}, ${comparisonText(readModels)}, ${duration(tookMs)}.`,
    ...(erased > 0 ? [`Erased again: ${counted(erased, 'user')} erased since the backup.`] : []),
    ...(expired > 0 ? [`Expired without a push: ${expired} of the deliveries that were pending at that time.`] : []),
    'Start the portal now.',
  ].join('\n')
}

/** `ERASURES=FILE,…`: records of erasures outside of the data folder. */
const erasuresFilesOf = (environment: Environment): readonly string[] => {
  const files = (environment['ERASURES'] ?? '').split(',').filter((file) => file !== '')
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) throw new CommandError(`ERASURES: there is no file at ${missing}`)
  return files
}

/** `make restore FROM=…`: restores a backup into an empty event store, while no portal is running. */
await runCommand(async () => {
  const { env } = process
  const path = env['FROM']
  if (path === undefined || path === '')
    throw new CommandError('FROM must name a backup: make restore FROM=backups/portal-20261122t190838.backup')
  const erasuresFiles = erasuresFilesOf(env)
  const config = await operatorConfig(env)
  const startedAtMs = performance.now()
  // Standard output is for the result.
  const steps = reportSteps(process.stderr, isJsonOutput(env))
  const onProgress = (progress: CopyProgress): void => steps.report(progress, () => copyProgressText(progress))
  const signal = stopSignal('Stopped. Run the same command again to continue')
  try {
    const backup = await openBackup(path, {
      signal,
      onProgress: (verifying) => onProgress({ step: 'verifying', ...verifying }),
    })
    if (!backup.ok) throw new CommandError(backup.message)
    const restored = await wrapDiskErrors(config.dataDir, () =>
      restoreBackup({
        config,
        backup,
        erasuresFiles,
        force: isOn(env, 'FORCE'),
        stamp: stampOf(new Date()),
        signal,
        onProgress,
        onReplay: (progress) => steps.report(progress, () => replayProgressText(progress)),
      }),
    )
    steps.end()
    const tookMs = Math.round(performance.now() - startedAtMs)
    print(env, { ...restored, tookMs }, () => restoredText(restored, tookMs))
  } finally {
    steps.end()
  }
})
endNow()
