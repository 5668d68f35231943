import { setTimeout as sleep } from 'node:timers/promises'
import { UnknownPositionError } from '../errors.ts'
import type { Engine } from './client.ts'
import { type EventStoreDbPosition, formatPosition } from './log-position.ts'
import { readRecordAt } from './read.ts'

/** An event that this process has read from the log or recorded in it. */
export type LogEvent = { readonly position: EventStoreDbPosition; readonly id: string }

/** A missing event halts the whole portal, so the check is repeated. */
const checks = { times: 3, pauseMs: 150 } as const
/** Many streams and subscriptions find the same older log. One report is enough. */
const reportIntervalMs = 60_000

/** Whether the log is still the one that this process has read. */
export type LogRecognition = {
  holds(event: LogEvent): Promise<boolean>
  /** Reports the event if several checks do not find it. */
  isGone(event: LogEvent): Promise<boolean>
  /** Reports `missing` if several calls of `isPresent` return false. */
  isMissing(missing: string, isPresent: () => Promise<boolean>): Promise<boolean>
  /** A connection broke. Another server may answer next. */
  connectionLost(): void
  /** Call it before each attempt to append. Rejects if the log must not be written. */
  requireWritable(): Promise<void>
}

type RecognitionDeps = {
  readonly engine: Engine
  onOlder(missing: string): void
  /** Rejects if another log is at the address. */
  verify(): Promise<void>
}

export const createLogRecognition = ({ engine, onOlder, verify }: RecognitionDeps): LogRecognition => {
  let reportedMs = Number.NEGATIVE_INFINITY
  let lostConnections = 0
  let verifiedConnections = 0

  const report = (missing: string): void => {
    const nowMs = performance.now()
    if (nowMs - reportedMs < reportIntervalMs) return
    reportedMs = nowMs
    onOlder(missing)
  }

  const holds = async ({ position, id }: LogEvent): Promise<boolean> => {
    try {
      return (await readRecordAt(engine, position))?.id === id
    } catch (error) {
      if (error instanceof UnknownPositionError) return false
      throw error
    }
  }

  const isMissing = async (missing: string, isPresent: () => Promise<boolean>): Promise<boolean> => {
    for (let check = 1; !(await isPresent()); check++) {
      if (check === checks.times) {
        report(missing)
        return true
      }
      await sleep(checks.pauseMs)
    }
    return false
  }

  return {
    connectionLost: () => {
      lostConnections += 1
    },
    requireWritable: async () => {
      if (verifiedConnections === lostConnections) return
      const upTo = lostConnections
      await verify()
      verifiedConnections = upTo
    },
    holds,
    isMissing,
    isGone: (event) =>
      isMissing(`the event at position ${formatPosition(event.position)} is missing from the log`, () => holds(event)),
  }
}
