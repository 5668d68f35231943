import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { BackupProgress, MadeBackup } from '@portal/platform/backup/make-backup'
import type { Config } from '@portal/platform/settings/config'
import { dataFiles } from '@portal/platform/files/data-folder'
import { counted } from '../output/counted.ts'

const unitBytes = 1024

/** 950 B, 3.2 KiB, 12.0 MiB. */
export const size = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let value = bytes
  let unit = 0
  while (value >= unitBytes && unit < units.length - 1) {
    value /= unitBytes
    unit += 1
  }
  return unit === 0 ? `${bytes} B` : `${value.toFixed(1)} ${units[unit]}`
}

export const progressText = (progress: BackupProgress): string =>
  progress.step === 'reading the log' ? `${progress.step}: ${counted(progress.events, 'event')}` : progress.step

const masterKeyPlace = ({ dataDir, masterKey }: Pick<Config, 'dataDir' | 'masterKey'>): string => {
  const { masterKey: file } = dataFiles(dataDir)
  if (masterKey !== undefined) return 'the setting MASTER_KEY'
  return existsSync(file) ? file : 'the setting MASTER_KEY of the portal'
}

/** Where the key is without which no backup can be read. */
const masterKeyLine = (config: Config): string =>
  `The master key is not in the backup. Keep a copy of ${masterKeyPlace(config)} in another place.`

type Made = { readonly made: MadeBackup; readonly removed: readonly string[] }

export const backupText = ({ made: { path, bytes, manifest }, removed }: Made, config: Config): string => {
  const { log, people } = manifest
  return [
    `Backup: ${path} (${size(bytes)})`,
    `It holds ${counted(log.events, 'event')} and the keys of ${counted(people.keys, 'user')}.`,
    ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}`] : []),
    masterKeyLine(config),
  ].join('\n')
}

/** For programs. */
export const backupData = ({ made: { path, bytes, manifest }, removed }: Made, config: Config) => ({
  file: basename(path),
  path,
  bytes,
  madeAt: manifest.madeAt,
  store: manifest.store,
  events: manifest.log.events,
  end: manifest.log.end,
  people: manifest.people,
  readModels: manifest.readModels.length,
  removed,
  masterKey: masterKeyPlace(config),
})
