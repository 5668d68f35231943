import { existsSync } from 'node:fs'
import type { EventStore } from '../event-store/port.ts'
import { categoryOf } from '../event-store/stream-name.ts'
import { withDatabase } from '../files/database-file.ts'

const userCategory = 'user'

/** The log has users, and the database that should hold their keys is missing or another portal's. */
export class UserKeysMissingError extends Error {
  override readonly name = 'UserKeysMissingError'
  readonly isUserFacing = true
}

type Log = Pick<EventStore, 'subscribe'>

const firstUserIn = async (log: Log): Promise<string | undefined> => {
  const abort = new AbortController()
  try {
    for await (const event of log.subscribe('start', { categories: [userCategory] }, abort.signal)) {
      if (event.kind === 'caught-up') return undefined
      return event.stream.slice(categoryOf(event.stream).length + 1)
    }
    return undefined
  } finally {
    abort.abort()
  }
}

/** Erased users count: their keys are known to be destroyed. */
const knows = (keysFile: string, userId: string): boolean =>
  withDatabase(keysFile, { timeout: 5_000 }, (database) => {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'user_keys'").get() !== undefined
    return hasTable && database.prepare('SELECT 1 FROM user_keys WHERE user_id = ?').get(userId) !== undefined
  })

/**
 * Refuses a database of user keys that is not the log's. To be called before the vault is opened: that makes the files that are
 * missing, and with new keys no user of the log could log in again.
 */
export const requireUserKeys = async (log: Log, keysFile: string): Promise<void> => {
  const userId = await firstUserIn(log)
  if (userId === undefined) return
  const restore = 'restore user-keys.db from the backup that was made with the event store. Nothing else has these keys'
  if (!existsSync(keysFile)) {
    throw new UserKeysMissingError(
      `${keysFile} is missing, but the event store has users whose data it protects: ${restore}`,
    )
  }
  if (knows(keysFile, userId)) return
  throw new UserKeysMissingError(`${keysFile} does not hold the keys of the event store's users: ${restore}`)
}
