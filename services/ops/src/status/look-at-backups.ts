import { type BackupsStatus, backupsStatus } from '@portal/platform/backup/backups-status'
import { loadLastBackup } from '@portal/platform/backup/last-backup'
import type { ReadModel } from '@portal/platform/read-model/port'
import type { Config } from '@portal/platform/settings/config'

/** By the backup folder, and where there are read models by what the last backup recorded there. */
export const lookAtBackups = async (
  { backupDir }: Config,
  control: ReadModel | undefined,
  now: Date,
): Promise<BackupsStatus> => backupsStatus(backupDir, control && (await loadLastBackup(control)), now.getTime())
