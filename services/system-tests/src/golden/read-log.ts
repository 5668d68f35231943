import { openSqliteEventLog } from '@portal/platform/event-store/sqlite'
import type { Recorded } from '@portal/platform/event-store/port'

/** The whole log, oldest first. Golden logs are small. */
export const readLog = async (logFile: string): Promise<readonly Recorded[]> => {
  const log = openSqliteEventLog(logFile)
  const ending = new AbortController()
  const events: Recorded[] = []
  try {
    for await (const item of log.subscribe('start', 'all', ending.signal)) {
      if (item.kind === 'caught-up') break
      events.push(item)
    }
    return events
  } finally {
    ending.abort()
    await log.close()
  }
}
