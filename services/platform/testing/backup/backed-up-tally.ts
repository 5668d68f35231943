import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pino } from 'pino'
import { deriveKeys, loadMasterKey } from '../../src/personal-data/master-key.ts'
import { erasedInKeysFile } from '../../src/personal-data/erasure-log.ts'
import { openSqliteVault } from '../../src/personal-data/sqlite-vault.ts'
import { tally } from '../projection/tally.ts'
import { serveTally } from '../generations/serving-tally.ts'
import { checkBackup } from '../../src/backup/check-backup.ts'
import { makeBackup, type MakeBackupOptions } from '../../src/backup/make-backup.ts'
import { sqliteSource } from '../../src/backup/open-backup-source.ts'

/** A running tally, users with keys, and an empty folder for backups. */
export const backedUpTally = async () => {
  const served = await serveTally()
  const { folder } = served
  const [keysFile, masterKeyFile] = [join(folder, 'user-keys.db'), join(folder, 'master.key')]
  const vault = openSqliteVault({ keysFile, masterKeyFile })
  for (const user of ['anna', 'ben', 'clara']) await vault.encrypt(user, user)
  const backups = join(folder, 'backups')
  const key = loadMasterKey(masterKeyFile, false)
  const masterKey = deriveKeys(key).fingerprint
  let seconds = 0
  const signal = new AbortController().signal

  return {
    ...served,
    vault,
    keysFile,
    masterKeyFile,
    backups,
    masterKey,
    /** Each backup is one second newer than the previous one. */
    backUp: (options: Partial<MakeBackupOptions> = {}) =>
      makeBackup({
        source: sqliteSource(join(folder, 'events.db'), keysFile),
        folder: backups,
        served: [
          { projection: 'tally', version: 1, generation: 'tally-main', readModel: served.serving.current().readModel },
        ],
        now: new Date(Date.parse('2026-11-22T19:08:38Z') + 1_000 * seconds++),
        signal,
        ...options,
      }),
    check: (path: string, { masterKey: given }: { readonly masterKey: Uint8Array | undefined } = { masterKey: key }) =>
      checkBackup({
        path,
        projections: [tally()],
        publishers: served.ports.publishers,
        masterKey: given,
        erasures: erasedInKeysFile(keysFile),
        logger: pino({ level: 'silent' }),
        signal,
      }),
    makeFolder: () => mkdir(backups),
    stop: async () => {
      await vault.close()
      await served.stop()
    },
  }
}
export type BackedUpTally = Awaited<ReturnType<typeof backedUpTally>>
