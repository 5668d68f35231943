import { existsSync } from 'node:fs'
import type { EventStore } from '../event-store/port.ts'
import { categoryOf } from '../event-store/stream-name.ts'
import { withDatabase } from '../files/database-file.ts'

const userCategory = 'user'

/** The log has users, but the database of their keys is missing or belongs to another portal. */
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

/** Erased users have a row without a key. */
const hasUser = (keysFile: string, userId: string): boolean =>
  withDatabase(keysFile, { timeout: 5_000 }, (database) => {
    const hasTable = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'user_keys'").get() !== undefined
    return hasTable && database.prepare('SELECT 1 FROM user_keys WHERE user_id = ?').get(userId) !== undefined
  })

/**
 * Throws UserKeysMissingError if the database does not hold the keys of the log's users. Call it before the vault is opened, which
 * creates missing files: with new keys no user of the log could log in.
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
  if (hasUser(keysFile, userId)) return
  throw new UserKeysMissingError(`${keysFile} does not hold the keys of the event store's users: ${restore}`)
}
