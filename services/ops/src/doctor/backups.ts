import { join } from 'node:path'
import { type BackupsStatus, loadBackupsStatus } from '@portal/platform/backup/backups-status'
import type { Config } from '@portal/platform/settings/config'
import { findMasterKey } from '../backup/master-key.ts'
import { CommandError } from '../command.ts'
import { ageText, counted, isFromFuture } from '../output/format.ts'
import { hasStore } from '../settings/operator-config.ts'
import { openServingReadModels } from '../settings/serving-read-models.ts'
import { type Findings, fail, info, inWords, ok, warn } from './finding.ts'

const check = 'backups'
/** The threshold of the alert PortalBackupOld. */
const oldMs = 2 * 86_400_000
const todo = 'run make backup, and enable its schedule: see docs/backup.md'

const findingsOfOthers = ({ folder, foreign }: BackupsStatus): Findings =>
  foreign === 0
    ? []
    : [
        info(
          check,
          `${folder} also has ${counted(foreign, 'backup')} of other portals, which make backup does not remove`,
        ),
      ]

const findingsOfOwn = ({ folder, lastGood, failedCheck, damaged }: BackupsStatus, isProduction: boolean): Findings => {
  const failedText = `${failedCheck} failed its check, and none has passed since`
  const failed = [
    ...(failedCheck === undefined ? [] : [fail(check, failedText, 'run make backup, then make backup-check')]),
    ...(damaged === undefined ? [] : [fail(check, `${join(folder, damaged)} is empty or damaged`, 'run make backup')]),
  ]
  if (lastGood === undefined) {
    const says = `there is no good backup in ${folder}`
    return [...failed, isProduction ? warn(check, says, todo) : info(check, says)]
  }
  const where = lastGood.isInFolder ? '' : `, which is not in ${folder}`
  const says = `the last good one is ${ageText(lastGood.ageMs)}: ${lastGood.file}${where}`
  if (isFromFuture(lastGood.ageMs)) return [...failed, warn(check, says, 'check the clock of the machine that made it')]
  return [...failed, lastGood.ageMs > oldMs ? warn(check, says, todo) : ok(check, says)]
}

export const findingsOfBackups = (status: BackupsStatus, isProduction: boolean): Findings => [
  ...findingsOfOwn(status, isProduction),
  ...findingsOfOthers(status),
]

/** Undefined if the read models are unavailable, which another check reports. */
const controlOf = async (config: Config) => {
  try {
    return await openServingReadModels(config)
  } catch (error) {
    if (error instanceof CommandError) return undefined
    throw error
  }
}

export const checkBackups = async (config: Config): Promise<Findings> => {
  if (!hasStore(config)) return []
  try {
    const readModels = await controlOf(config)
    const { fingerprint } = await findMasterKey(config)
    const status = await loadBackupsStatus({ config, fingerprint }, readModels?.control, Date.now())
    return findingsOfBackups(status, config.environment === 'production')
  } catch (error) {
    return [warn(check, `they cannot be read: ${inWords(error)}`, 'correct BACKUP_DIR')]
  }
}
