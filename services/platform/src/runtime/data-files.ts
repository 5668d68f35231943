import { join } from 'node:path'

/** What lies where in the data folder, apart from what has an address of its own among the settings. */
export const dataFiles = (dataDir: string) =>
  ({
    /** The users' keys. Must not be restored from a backup that is older than the last erasure. */
    userKeys: join(dataDir, 'user-keys.db'),
    /** Wraps the users' keys. To be backed up apart from everything else. */
    masterKey: join(dataDir, 'master.key'),
    /** Who was erased: a restore of an older backup revives no one. To be backed up with the master key. */
    erasures: join(dataDir, 'erasures.jsonl'),
    /** There while a restore or a move into this data folder is unfinished. */
    restoring: join(dataDir, 'restoring.json'),
    /** Signs the session tokens. */
    sessionKeys: join(dataDir, 'session-keys.json'),
    /** The delivery ledger's folder. */
    ledger: join(dataDir, 'ledger'),
  }) as const
