import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { createRunningState } from '../async/running-state.ts'
import { watchOpenedFile } from '../files/database-file.ts'
import { createLockWait } from '../files/lock-wait.ts'
import { StoreClosedError } from './errors.ts'
import type { EventStore } from './port.ts'
import { serializeAppend } from './serialize-append.ts'
import { type EventLog, createEventLog } from './sqlite/event-log.ts'
import { createGroupCommit } from './sqlite/group-commit.ts'
import { lockForWriting, openLogFile, openLogFileReadOnly, watchLogDamage } from './sqlite/log-file.ts'
import { createLogReader } from './sqlite/log-reader.ts'

const pollIntervalMs = 200

const inMemory = ':memory:'
const restoreOrPutBack = 'put it back, or stop the portal and restore a backup'

/** Wakes subscribers when the log has grown. */
const createGrowthSignal = () => {
  const waiters = new Set<() => void>()
  return {
    /** Resolves at the next `wakeAll`, or when the signal is aborted. */
    next: (signal: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const wake = (): void => {
          waiters.delete(wake)
          signal.removeEventListener('abort', wake)
          resolve()
        }
        waiters.add(wake)
        signal.addEventListener('abort', wake)
      }),
    wakeAll: (): void => {
      for (const wake of waiters) wake()
    },
  }
}

const openStore = (path: string, now: () => Date, onClosed: () => void): EventStore => {
  const damage = watchLogDamage(path)
  const db = openLogFile(path)
  const reader = createLogReader(db, damage)
  const growth = createGrowthSignal()
  let lastRow = reader.lastRow()
  const state = createRunningState(() => new StoreClosedError())

  const commits = createGroupCommit({
    db,
    file: path,
    lock: createLockWait(path),
    damage,
    checkFile: path === inMemory ? () => undefined : watchOpenedFile(path, restoreOrPutBack),
    now,
    onEnded: (row) => {
      lastRow = row
      growth.wakeAll()
    },
  })

  const log = createEventLog(reader, {
    lastRow: () => lastRow,
    waitForGrowth: async (row, signal) => {
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
      await commits.check()
    },
    close: async () => {
      if (!state.stop()) return
      await commits.drain()
      growth.wakeAll()
      db.close()
      onClosed()
    },
  }
}

type SqliteEventStoreOptions = {
  /** The file. A missing folder is created. ':memory:' keeps the log in memory, for tests. */
  readonly path: string
  readonly now?: () => Date
}

/** The event store in one file, for one writing process. Throws DataFolderInUseError if another process has it open. */
export const openSqliteEventStore = ({ path, now = () => new Date() }: SqliteEventStoreOptions): EventStore => {
  if (path === inMemory) return openStore(path, now, () => undefined)
  mkdirSync(dirname(path), { recursive: true })
  const lock = lockForWriting(path)
  try {
    return openStore(path, now, () => lock.release())
  } catch (error) {
    lock.release()
    throw error
  }
}

/** Opens the log read-only, even if another process writes to it. Subscriptions poll for new events. */
export const openSqliteEventLog = (path: string): EventLog => {
  const db = openLogFileReadOnly(path)
  const reader = createLogReader(db, watchLogDamage(path))
  const growth = createGrowthSignal()
  const state = createRunningState(() => new StoreClosedError())
  const log = createEventLog(reader, {
    lastRow: () => reader.lastRow(),
    waitForGrowth: async (row, signal) => {
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
