import { join } from 'node:path'

/** What lies where in the data folder, apart from what has an address of its own among the settings. */
export const dataFiles = (dataDir: string) =>
  ({
    /** The users' keys. Must not be restored from a backup that is older than the last erasure. */
    userKeys: join(dataDir, 'user-keys.db'),
    /** Wraps the users' keys. To be backed up apart from everything else. */
    masterKey: join(dataDir, 'master.key'),
    /** Signs the session tokens. */
    sessionKeys: join(dataDir, 'session-keys.json'),
    /** The delivery ledger's folder. */
    ledger: join(dataDir, 'ledger'),
  }) as const
