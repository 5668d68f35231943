import type { ReadStore } from '../read-model/port.ts'
import type { Config } from '../settings/config.ts'
import { listBackups } from './backup-folder.ts'
import { type LastBackup, loadLastBackup } from './last-backup.ts'
import { peekManifest } from './inspect-container.ts'

export type BackupsStatus = {
  /** The newest backup whose check has not failed; undefined if there is none. */
  readonly lastGood: { readonly file: string; readonly madeAt: string; readonly ageMs: number } | undefined
  /** The newest backup, if its check failed. */
  readonly failedCheck: string | undefined
  /** Complete backups in the folder. */
  readonly files: number
}

type Made = { readonly file: string; readonly madeAt: string }

const newestInFolder = async (folder: string, isGood: (file: string) => boolean) => {
  const listed = await listBackups(folder)
  for (const { name, path } of listed) {
    if (!isGood(name)) continue
    const manifest = await peekManifest(path)
    if (manifest !== undefined) return { files: listed.length, newest: { file: name, madeAt: manifest.madeAt } }
  }
  return { files: listed.length, newest: undefined }
}

/** Combines the files in the folder with the recorded last backup, which may be on another machine. */
export const backupsStatus = async (
  folder: string,
  recorded: LastBackup | undefined,
  nowMs: number,
): Promise<BackupsStatus> => {
  const failedCheck = recorded?.check?.isGood === false ? recorded.file : undefined
  const { files, newest } = await newestInFolder(folder, (file) => file !== failedCheck)
  const known: readonly (Made | undefined)[] = [newest, failedCheck === undefined ? recorded : undefined]
  const last = known
    .filter((made) => made !== undefined)
    .toSorted((a, b) => (a.madeAt < b.madeAt ? 1 : -1))
    .at(0)
  return {
    lastGood: last && { file: last.file, madeAt: last.madeAt, ageMs: Math.max(0, nowMs - Date.parse(last.madeAt)) },
    failedCheck,
    files,
  }
}

/** Reads the backup folder and, if there are read models, the recorded last backup. */
export const loadBackupsStatus = async (
  { backupDir }: Pick<Config, 'backupDir'>,
  control: ReadStore | undefined,
  nowMs: number,
): Promise<BackupsStatus> => backupsStatus(backupDir, control && (await loadLastBackup(control)), nowMs)
