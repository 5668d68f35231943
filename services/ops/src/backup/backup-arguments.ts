import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { newestBackup } from '@portal/platform/backup/backup-folder'
import type { Config } from '@portal/platform/settings/config'
import { CommandError } from '../command.ts'
import type { Environment } from '../output/print.ts'

const maxKept = 10_000

/** The number of backups to keep, from KEEP; undefined if it is not set. */
export const keepOf = (environment: Environment): number | undefined => {
  const text = environment['KEEP']
  if (!text) return undefined
  const keep = Number(text)
  if (/^\d{1,5}$/.test(text) && keep >= 1 && keep <= maxKept) return keep
  throw new CommandError(`KEEP must be a whole number from 1 to ${maxKept}, not "${text}"`)
}

/** The backup that FROM names, or the newest one of the portal with this master key. */
export const chosenBackup = async (
  { backupDir }: Pick<Config, 'backupDir'>,
  environment: Environment,
  fingerprint: string | undefined,
): Promise<string> => {
  const from = environment['FROM']
  if (from) {
    if (!existsSync(from)) throw new CommandError(`FROM: there is no file at ${resolve(from)}`)
    return resolve(from)
  }
  const newest = await newestBackup(backupDir, fingerprint)
  if (newest === undefined)
    throw new CommandError(`There is no backup of this portal in ${backupDir}: run make backup, or set FROM to a file`)
  return newest.path
}
