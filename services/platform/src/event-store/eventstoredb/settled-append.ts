import { EventStoreUnavailableError } from '../errors.ts'
import type { SerialisedEvent } from '../serialise-append.ts'
import type { Engine, EngineAnswer } from './client.ts'

/** Does work as soon as there is room for it among what is under way, in the order in which it comes. */
type InFlight = <T>(bytes: number, work: () => Promise<T>) => Promise<T>

type InFlightLimits = { readonly calls: number; readonly bytes: number }

/** What is large or many is not sent all at once: then everything would take longer than its deadline. */
export const createInFlight = (limits: InFlightLimits): InFlight => {
  let calls = 0
  let bytes = 0
  const waiting: { readonly bytes: number; readonly start: () => void }[] = []

  const hasRoom = (more: number): boolean => calls === 0 || (calls < limits.calls && bytes + more <= limits.bytes)
  const startWaiting = (): void => {
    for (let next = waiting[0]; next !== undefined && hasRoom(next.bytes); next = waiting[0]) {
      waiting.shift()
      calls += 1
      bytes += next.bytes
      next.start()
    }
  }
  return async (size, work) => {
    await new Promise<void>((start) => {
      waiting.push({ bytes: size, start })
      startWaiting()
    })
    try {
      return await work()
    } finally {
      calls -= 1
      bytes -= size
      startWaiting()
    }
  }
}

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
export const settledAppend = async (
  engine: Engine,
  stream: string,
  last: number,
  events: readonly SerialisedEvent[],
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
