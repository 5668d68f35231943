import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createRunningState } from '../async/running-state.ts'
import { StoreClosedError } from './errors.ts'
import type { EventStore } from './port.ts'
import { serializeAppend } from './serialize-append.ts'
import { type EventLog, eventLog } from './sqlite/event-log.ts'
import { groupCommit } from './sqlite/group-commit.ts'
import { lockForWriting, openLogFile, openLogFileReadOnly } from './sqlite/log-file.ts'
import { logReader } from './sqlite/log-reader.ts'
import { type FreshEvent, recentEvents } from './sqlite/recent-events.ts'

/** What live subscribers find in memory; whoever is further behind reads the table. */
const recentLimits = { events: 1_024, jsonChars: 4 * 1024 * 1024 } as const

const pollIntervalMs = 200

/** Those who wait for the log to grow. */
const wakeUps = () => {
  const sleepers = new Set<() => void>()
  return {
    /** Resolves at the next `wakeAll`, or when the signal is aborted. */
    next: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = (): void => {
          sleepers.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        sleepers.add(wake)
        signal.addEventListener('abort', wake)
      }),
    wakeAll: (): void => {
      for (const wake of sleepers) wake()
    },
  }
}

const storeOn = (path: string, now: () => Date, onClosed: () => void): EventStore => {
  const db = openLogFile(path)
  const reader = logReader(db)
  const recent = recentEvents(recentLimits.events, recentLimits.jsonChars)
  const growth = wakeUps()
  let lastRow = reader.lastRow()
  const state = createRunningState(() => new StoreClosedError())

  const onCommitted = (events: readonly FreshEvent[]): void => {
    for (const event of events) {
      recent.add(event)
      lastRow = event.row
    }
    if (events.length > 0) growth.wakeAll()
  }
  const commits = groupCommit(db, now, onCommitted, (row) => {
    lastRow = row
    growth.wakeAll()
  })

  const log = eventLog(reader, {
    lastRow: () => lastRow,
    recent: (row) => recent.at(row),
    grown: async (row, signal) => {
      if (lastRow <= row && !state.isStopped()) await growth.next(signal)
    },
    isClosed: state.isStopped,
  })

  return {
    ...log,
    append: (stream, expected, events) => {
      try {
        state.assertRunning()
        return commits.append(stream, expected, serializeAppend(stream, expected, events))
      } catch (error) {
        return Promise.reject(error)
      }
    },
    check: async () => {
      await log.check()
      commits.check()
    },
    close: async () => {
      if (!state.stop()) return
      commits.drain()
      growth.wakeAll()
      db.close()
      onClosed()
    },
  }
}

type SqliteEventStoreOptions = {
  /** The file. Its folder is made when it is missing. ':memory:' keeps the log in memory, for tests. */
  readonly path: string
  readonly now?: () => Date
}

/** The store in one file, for one writing process. Throws DataFolderInUseError when another one has it. */
export const openSqliteEventStore = ({ path, now = () => new Date() }: SqliteEventStoreOptions): EventStore => {
  if (path === ':memory:') return storeOn(path, now, () => undefined)
  mkdirSync(dirname(path), { recursive: true })
  const lock = lockForWriting(path)
  try {
    return storeOn(path, now, () => lock.release())
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Reads the log of a store that another process may have open. Its subscriptions look for new events now and then. */
export const openSqliteEventLog = (path: string): EventLog => {
  const db = openLogFileReadOnly(path)
  const reader = logReader(db)
  const growth = wakeUps()
  const state = createRunningState(() => new StoreClosedError())
  const log = eventLog(reader, {
    lastRow: () => reader.lastRow(),
    recent: () => undefined,
    grown: async (row, signal) => {
      if (state.isStopped() || reader.lastRow() > row) return
      const timer = setTimeout(() => growth.wakeAll(), pollIntervalMs)
      await growth.next(signal)
      clearTimeout(timer)
    },
    isClosed: state.isStopped,
  })
  return {
    ...log,
    close: async () => {
      if (!state.stop()) return
      growth.wakeAll()
      db.close()
    },
  }
}
