import { existsSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { stampOf } from '@portal/platform/generations/generations'
import { openBackup } from '@portal/platform/backup/open-backup'
import { namingFolder } from '../backup/disk-errors.ts'
import { CommandError, runCommand } from '../command.ts'
import { endNow, type Environment, isForPrograms, isOn, print } from '../output/print.ts'
import { reportSteps } from '../output/report-steps.ts'
import { stopSignal } from '../replay/stop-signal.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { type CopyProgress, copyProgressText, replayProgressText } from './copy-progress.ts'
import { restoredText } from './present-restore.ts'
import { restoreBackup } from './restore-backup.ts'

/** `ERASURES=FILE,…`: records of erasures that lie elsewhere than in the data folder. */
const erasuresFilesOf = (environment: Environment): readonly string[] => {
  const files = (environment['ERASURES'] ?? '').split(',').filter((file) => file !== '')
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) throw new CommandError(`ERASURES: there is no file at ${missing}`)
  return files
}

/** `make restore FROM=…`: a backup into an empty event store, while no portal runs. */
await runCommand(async () => {
  const { env } = process
  const path = env['FROM']
  if (path === undefined || path === '')
    throw new CommandError('FROM must name a backup: make restore FROM=backups/portal-20261122t190838.backup')
  const erasuresFiles = erasuresFilesOf(env)
  const config = await operatorConfig(env)
  const begunMs = performance.now()
  // Standard output is for the result.
  const steps = reportSteps(process.stderr, isForPrograms(env))
  const onProgress = (progress: CopyProgress): void => steps.report(progress, () => copyProgressText(progress))
  const signal = stopSignal('Stopped. Run the same command again to go on')
  try {
    const backup = await openBackup(path, {
      signal,
      onProgress: (verifying) => onProgress({ step: 'verifying', ...verifying }),
    })
    if (!backup.ok) throw new CommandError(backup.message)
    const restored = await namingFolder(config.dataDir, () =>
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
    const tookMs = Math.round(performance.now() - begunMs)
    print(env, { ...restored, tookMs }, () => restoredText(restored, tookMs))
  } finally {
    steps.end()
  }
})
endNow()
