import type { Recorded } from '../event-store/port.ts'
import type { ArchivedEnd } from './archive-log.ts'
import type { Manifest } from './manifest.ts'

export type CopyOptions = {
  readonly signal: AbortSignal
  onEvent?(event: Recorded): void
}

/** What a backup is made of. Other processes may use it meanwhile. */
export type BackupSource = {
  readonly store: Manifest['store']
  /** Writes a copy of the log, consistent as of one moment, into a new file. */
  copyLog(path: string, options: CopyOptions): Promise<ArchivedEnd>
  /** Writes the users' keys, still wrapped, into a new file. To be copied after the log, which names the users. */
  copyKeys(path: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}
