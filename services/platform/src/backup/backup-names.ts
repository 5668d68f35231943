import { join } from 'node:path'
import { stampOf } from '../generations/generations.ts'

/** `20261122t190838`, in UTC. Rises with time, as text too. */
export type BackupStamp = string & { readonly __brand: 'BackupStamp' }

// The one place that makes stamps of moments.
export const backupStampOf = (at: Date): BackupStamp => stampOf(at) as BackupStamp

const backupName = /^portal-(\d{8}t\d{6})\.backup$/
const leftoverName = /^\.portal-\d{8}t\d{6}\.(partial|parts)$/

/** Undefined for a file that is not named as a backup. */
export const stampOfName = (name: string): BackupStamp | undefined => {
  const stamp = backupName.exec(name)?.[1]
  return stamp === undefined ? undefined : (stamp as BackupStamp)
}

/** What a backup that was killed leaves behind. */
export const isLeftover = (name: string): boolean => leftoverName.test(name)

export const backupPaths = (folder: string, stamp: BackupStamp) =>
  ({
    file: join(folder, `portal-${stamp}.backup`),
    /** The file until it is complete. */
    partial: join(folder, `.portal-${stamp}.partial`),
    /** What goes into it is prepared here. */
    parts: join(folder, `.portal-${stamp}.parts`),
  }) as const
