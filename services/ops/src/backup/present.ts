import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { CheckedBackup, CheckProgress } from '@portal/platform/backup/check-backup'
import type { ForgottenIn } from '@portal/platform/backup/forget-erased'
import type { BackupProgress, MadeBackup } from '@portal/platform/backup/make-backup'
import { dataFiles } from '@portal/platform/files/data-folder'
import type { Config } from '@portal/platform/settings/config'
import { counted, duration, grouped } from '../output/format.ts'

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

const masterKeySource = ({ dataDir, masterKey }: Pick<Config, 'dataDir' | 'masterKey'>): string => {
  const { masterKey: file } = dataFiles(dataDir)
  if (masterKey !== undefined) return 'the setting MASTER_KEY'
  return existsSync(file) ? file : 'the setting MASTER_KEY of the portal'
}

/** Reminds the operator of the key that every restore needs. */
const masterKeyLine = (config: Config, problem: string | undefined): string =>
  problem === undefined
    ? `The master key is not in the backup. Keep a separate copy of ${masterKeySource(config)}.`
    : `${problem}. The backup is complete, but without that key nobody can read it.`

type Made = { readonly made: MadeBackup; readonly removed: readonly string[] }

export const backupText = (
  { made: { path, bytes, manifest }, removed }: Made,
  config: Config,
  problem?: string,
): string => {
  const { log, people } = manifest
  return [
    `Backup: ${path} (${size(bytes)})`,
    `It contains ${counted(log.events, 'event')} and the keys of ${counted(people.keys, 'user')}.`,
    ...(removed.length > 0 ? [`Removed: ${removed.join(', ')}`] : []),
    masterKeyLine(config, problem),
  ].join('\n')
}

/** The JSON output. */
export const backupData = ({ made: { path, bytes, manifest }, removed }: Made, config: Config, problem?: string) => ({
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
  masterKey: masterKeySource(config),
  ...(problem !== undefined && { masterKeyProblem: problem }),
})

export const checkProgressText = (progress: CheckProgress): string => {
  if ('totalBytes' in progress) return `${progress.step}: ${size(progress.bytes)} of ${size(progress.totalBytes)}`
  if ('totalEvents' in progress)
    return `${progress.step}: ${grouped(progress.events)} of ${counted(progress.totalEvents, 'event')}`
  return progress.step
}

/** `128,412 events, 5 read models, all equal, 14 s`, followed by one line per problem. */
export const checkText = (
  { manifest, readModels, problems, erasedKeys, isDecrypted }: CheckedBackup,
  tookMs: number,
): string => {
  const compared = readModels.filter(({ partitions }) => partitions !== undefined)
  const skipped = readModels.filter(({ partitions }) => partitions === undefined)
  const verdict = problems.length === 0 ? 'all equal' : counted(problems.length, 'problem')
  const { events } = manifest.log
  return [
    `${counted(events, 'event')}, ${counted(compared.length, 'read model')}, ${verdict}, ${duration(tookMs)}`,
    ...problems,
    ...(isDecrypted ? [] : ["Not checked, without the master key: whether it decrypts the users' keys."]),
    ...(erasedKeys === 0
      ? []
      : [
          `It still contains the keys of ${erasedKeys} erased ${erasedKeys === 1 ? 'person' : 'people'}: run make backup-forget.`,
        ]),
    ...(skipped.length === 0
      ? []
      : [
          `Not compared, because this release has another version: ${skipped.map(({ projection }) => projection).join(', ')}`,
        ]),
  ].join('\n')
}

/** What `make backup-forget` has done to each backup. An unusable one may still hold keys, which a later repair would bring back. */
export const forgetText = (forgotten: readonly ForgottenIn[], people: number): string => {
  const rewritten = forgotten.filter((each) => each.people > 0)
  const unusable = forgotten.flatMap(({ rejection }) => rejection?.why ?? [])
  const others = forgotten.length - rewritten.length - unusable.length
  return [
    ...rewritten.map(
      ({ file, people: count }) => `${file}: rewritten without the keys of ${counted(count, 'erased person')}`,
    ),
    `${counted(people, 'person')} erased so far; ${counted(others, 'backup')} held none of their keys.`,
    ...unusable.map(
      (why) =>
        `${why}. It was not rewritten and may hold keys of erased people: replace it with a good copy and run the command again, or remove it.`,
    ),
  ]
    .join('\n')
    .replaceAll('persons', 'people')
}
