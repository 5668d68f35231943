import { EventStoreUnavailableError } from '../errors.ts'
import type { SerializedEvent } from '../serialize-append.ts'
import type { Engine, AppendResult } from './client.ts'

/** The server takes 2 s to report a timeout. */
const maxTimeouts = 3

const neverSent = /ECONNREFUSED|No connection established/

/** The state of one append across its retries. */
export type AppendAttempt = {
  /** True once the append may be recorded: no later failure proves that it was not. */
  mayBeRecorded: boolean
}

/**
 * Appends, and retries until the outcome is known. The server drops a repetition of an append that is still in flight, and reports
 * a timeout. By then the first one is recorded, and the next repetition gets its answer.
 */
export const appendWithRetry = async (
  engine: Engine,
  stream: string,
  last: number,
  events: readonly SerializedEvent[],
  attempt: AppendAttempt = { mayBeRecorded: false },
): Promise<Exclude<AppendResult, { kind: 'timed-out' }>> => {
  const send = async (remainingMs: number): Promise<AppendResult> => {
    const before = attempt.mayBeRecorded
    attempt.mayBeRecorded = true
    try {
      const answer = await engine.append(stream, last, events, remainingMs)
      if (answer.kind === 'wrong-revision') attempt.mayBeRecorded = before
      return answer
    } catch (error) {
      const isRejected = !(error instanceof EventStoreUnavailableError)
      if (isRejected || neverSent.test(String(error.cause))) attempt.mayBeRecorded = before
      throw error
    }
  }
  for (let timeouts = 0; timeouts < maxTimeouts; timeouts++) {
    const answer = await engine.retryShortOutages(send)
    if (answer.kind !== 'timed-out') return answer
  }
  throw new EventStoreUnavailableError()
}
