import type { ReadStore } from '../read-model/port.ts'
import type { Config } from '../settings/config.ts'
import { findBackups } from './backup-folder.ts'
import { failedCheckOf, failedFiles, type LastBackup, lastGoodOf, loadLastBackup, needsCheck } from './last-backup.ts'

export type BackupsStatus = {
  /** Where this was looked up. */
  readonly folder: string
  /** The newest backup that counts as good; undefined if there is none. */
  readonly lastGood:
    | {
        readonly file: string
        readonly madeAt: string
        /** Negative for one from the future: the clock was ahead then, or is behind now. */
        readonly ageMs: number
        readonly isInFolder: boolean
      }
    | undefined
  /** The newest backup that failed its check, until another one has passed. */
  readonly failedCheck: string | undefined
  /** The newest backup, or the one recorded as the last good one, if the file is empty or truncated and no check has found it yet. */
  readonly damaged: string | undefined
  /** Backups of this portal in the folder. */
  readonly files: number
  /** Backups of other portals in the folder. */
  readonly foreign: number
}

/** Combines the files in the folder with the recorded last backup, which may be on another machine. */
export const backupsStatus = async (
  folder: string,
  {
    recorded,
    fingerprint,
    nowMs,
  }: { recorded: LastBackup | undefined; fingerprint: string | undefined; nowMs: number },
): Promise<BackupsStatus> => {
  const all = await findBackups(folder, fingerprint)
  const found = all.filter(({ isForeign }) => !isForeign)
  const own = found.flatMap(({ name, madeAt, isDamaged }) =>
    madeAt === undefined ? [] : [{ name, madeAt, isDamaged }],
  )
  const damaged = found.filter(({ isDamaged }) => isDamaged).map(({ name }) => name)
  const failed = recorded ? failedFiles(recorded) : []
  const mustHavePassed = recorded !== undefined && needsCheck(recorded)
  const isGood = (file: string) => (mustHavePassed ? file === recorded.passed?.file : !failed.includes(file))
  const inFolder = own.find(({ name, isDamaged }) => !isDamaged && isGood(name))
  const elsewhere = recorded && lastGoodOf(recorded)
  const last = [inFolder && { file: inFolder.name, madeAt: inFolder.madeAt }, elsewhere]
    .filter((made) => made !== undefined)
    .filter((made) => !damaged.includes(made.file))
    .toSorted((a, b) => (a.madeAt < b.madeAt ? 1 : -1))
    .at(0)
  return {
    folder,
    lastGood: last && {
      file: last.file,
      madeAt: last.madeAt,
      ageMs: nowMs - Date.parse(last.madeAt),
      isInFolder: own.some(({ name }) => name === last.file),
    },
    failedCheck: recorded && failedCheckOf(recorded),
    damaged: damaged.find((name) => !failed.includes(name) && [found[0]?.name, elsewhere?.file].includes(name)),
    files: own.length,
    foreign: all.length - found.length,
  }
}

type Where = { readonly config: Pick<Config, 'backupDir'>; readonly fingerprint: string | undefined }

/** Reads the backup folder and, if there are read models, the recorded last backup. */
export const loadBackupsStatus = async (
  { config: { backupDir }, fingerprint }: Where,
  control: ReadStore | undefined,
  nowMs: number,
): Promise<BackupsStatus> =>
  backupsStatus(backupDir, { recorded: control && (await loadLastBackup(control)), fingerprint, nowMs })
