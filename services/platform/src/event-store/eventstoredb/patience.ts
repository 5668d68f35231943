import { setTimeout as sleep } from 'node:timers/promises'
import { EventStoreUnavailableError } from '../errors.ts'

/** An outage as short as this (a node restarts, a leader is elected) is waited through; a longer one is an error. */
const outageMs = 2_000
const pauses = { firstMs: 25, longestMs: 500 } as const

/** Does something again while the store cannot be reached. Only for what may be done twice. */
export type Patiently = <T>(work: () => Promise<T>) => Promise<T>

/** Of those who share it, the first waits; once an outage has turned out to be long, nobody else does until it is over. */
export const createPatience = (): Patiently => {
  let isOut = false
  return async (work) => {
    const startedMs = performance.now()
    for (let pauseMs: number = pauses.firstMs; ; pauseMs = Math.min(2 * pauseMs, pauses.longestMs)) {
      try {
        const result = await work()
        isOut = false
        return result
      } catch (error) {
        if (!(error instanceof EventStoreUnavailableError)) throw error
        isOut ||= performance.now() - startedMs + pauseMs > outageMs
        if (isOut) throw error
      }
      await sleep(pauseMs)
    }
  }
}
