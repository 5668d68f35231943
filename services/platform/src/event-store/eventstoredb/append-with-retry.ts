import { EventStoreUnavailableError } from '../errors.ts'
import type { SerializedEvent } from '../serialize-append.ts'
import type { Engine, EngineAnswer } from './client.ts'

/** The server waits 2 s before it says that it does not know. */
const mostUnsettled = 3

const neverSent = /ECONNREFUSED|No connection established/

/** What is known of one append while it is tried again and again. */
export type Attempt = {
  /** Once it is so, no later failure says that it was not recorded. */
  mayBeRecorded: boolean
}

/**
 * An append with an outcome. The server drops a repetition of what is still on its way, and says after a while that it does not know;
 * by then the first one is recorded, and another repetition is answered as that was.
 */
export const appendWithRetry = async (
  engine: Engine,
  stream: string,
  last: number,
  events: readonly SerializedEvent[],
  attempt: Attempt = { mayBeRecorded: false },
): Promise<Exclude<EngineAnswer, { kind: 'unsettled' }>> => {
  const send = async (leftMs: number): Promise<EngineAnswer> => {
    const before = attempt.mayBeRecorded
    attempt.mayBeRecorded = true
    try {
      const answer = await engine.append(stream, last, events, leftMs)
      if (answer.kind === 'wrong-revision') attempt.mayBeRecorded = before
      return answer
    } catch (error) {
      const isRefused = !(error instanceof EventStoreUnavailableError)
      if (isRefused || neverSent.test(String(error.cause))) attempt.mayBeRecorded = before
      throw error
    }
  }
  for (let time = 0; time < mostUnsettled; time++) {
    const answer = await engine.retryShortOutages(send)
    if (answer.kind !== 'unsettled') return answer
  }
  throw new EventStoreUnavailableError()
}
