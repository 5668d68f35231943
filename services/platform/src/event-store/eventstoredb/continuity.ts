import { setTimeout as sleep } from 'node:timers/promises'
import { UnknownPositionError } from '../errors.ts'
import type { Engine } from './client.ts'
import { type EventStoreDbPosition, formatPosition } from './log-position.ts'
import { readRecordAt } from './read.ts'

/** An event that this process has read from the log or recorded in it. */
export type LogEvent = { readonly position: EventStoreDbPosition; readonly id: string }

/** A finding stops the whole portal, so it is made sure of. */
const looks = { times: 3, pauseMs: 150 } as const
/** What goes back is found in many streams and by many subscriptions; they say the same. */
const reportedForMs = 60_000

/** Whether the log is still the one that this process has read. */
export type Continuity = {
  holds(event: LogEvent): Promise<boolean>
  /** Looks several times before it reports the event as gone. */
  isGone(event: LogEvent): Promise<boolean>
  /** The same of something else that was there: `look` tells whether it still is. */
  isMissing(what: string, look: () => Promise<boolean>): Promise<boolean>
}

export const createContinuity = (engine: Engine, onOlder: (what: string) => void): Continuity => {
  let reportedMs = Number.NEGATIVE_INFINITY

  const report = (what: string): void => {
    const nowMs = performance.now()
    if (nowMs - reportedMs < reportedForMs) return
    reportedMs = nowMs
    onOlder(what)
  }

  const holds = async ({ position: place, id }: LogEvent): Promise<boolean> => {
    try {
      return (await readRecordAt(engine, place))?.id === id
    } catch (error) {
      if (error instanceof UnknownPositionError) return false
      throw error
    }
  }

  const isMissing = async (what: string, look: () => Promise<boolean>): Promise<boolean> => {
    for (let time = 1; !(await look()); time++) {
      if (time === looks.times) {
        report(what)
        return true
      }
      await sleep(looks.pauseMs)
    }
    return false
  }

  return {
    holds,
    isMissing,
    isGone: (event) =>
      isMissing(`the event at position ${formatPosition(event.position)} is missing from the log`, () => holds(event)),
  }
}
