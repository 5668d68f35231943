import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetErased } from '@portal/platform/backup/forget-erased'
import { erasedInKeysFile, type ErasureRecord, readErasures } from '@portal/platform/personal-data/erasure-log'
import { operatorName } from '@portal/platform/operations/operation'
import { recordOperation } from '@portal/platform/operations/record-operation'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { openBackupSource } from '@portal/platform/backup/open-backup-source'
import { CommandError, runCommand, stopSignal } from '../command.ts'
import { endNow } from '../output/print.ts'
import { printResult, reportOwnSteps } from '../output/report-steps.ts'
import { openLog, wrapEngineErrors } from '../settings/open-engines.ts'
import { operatorConfig } from '../settings/operator-config.ts'
import { isFile } from '../settings/engine-addresses.ts'
import { wrapDiskErrors } from './disk-errors.ts'
import { forgetText, size } from './present.ts'

/** Combines the destroyed keys with the recorded erasures, because either may have been lost. */
const erasuresOf = async (config: Config, signal: AbortSignal): Promise<readonly ErasureRecord[]> => {
  const { userKeys, erasures: erasuresFile } = dataFiles(config.dataDir)
  if (isFile(config.eventStoreUrl) && !existsSync(userKeys))
    throw new CommandError(`${userKeys} is missing: is DATA_DIR the portal's?`)
  const log = await openLog(config)
  await log.close()
  const source = await wrapEngineErrors('The event store', config.eventStoreUrl, () =>
    openBackupSource(config.eventStoreUrl, userKeys),
  )
  const folder = await mkdtemp(join(tmpdir(), 'portal-erasures-'))
  try {
    const copy = join(folder, 'user-keys.db')
    await source.copyKeys(copy, signal)
    const byUser = new Map(
      [...readErasures(erasuresFile), ...erasedInKeysFile(copy)].map((each) => [each.userId, each]),
    )
    return [...byUser.values()]
  } finally {
    await rm(folder, { recursive: true })
    await source.close()
  }
}

/** `make backup-forget`: removes the keys of erased users from all backups in the folder. Exit code 1 if one is unusable. */
await runCommand(async () => {
  const { env } = process
  const config = await operatorConfig(env)
  const signal = stopSignal()
  const { backupDir: folder } = config
  if (!existsSync(folder)) throw new CommandError(`There is no folder ${folder}: set BACKUP_DIR`)
  const erasures = await erasuresOf(config, signal)
  const steps = reportOwnSteps(env)
  const forgetting = forgetErased({
    folder,
    erasures,
    signal,
    onProgress: (progress) =>
      steps.report(progress, () => `${progress.file}: ${size(progress.bytes)} of ${size(progress.totalBytes)}`),
  })
  const forgotten = await wrapDiskErrors(folder, () => forgetting.finally(steps.end))
  printResult(env, { erased: erasures.length, backups: forgotten }, () => forgetText(forgotten, erasures.length))
  if (forgotten.some(({ rejection }) => rejection !== undefined)) process.exitCode = 1
  const rewritten = forgotten.filter(({ people }) => people > 0)
  if (rewritten.length === 0) return
  const what = { files: rewritten.map(({ file }) => file), people: Math.max(...rewritten.map(({ people }) => people)) }
  await recordOperation(config, { type: 'BackupsForgot', data: { by: operatorName(), what } })
})
endNow()
