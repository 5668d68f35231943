import type { AttemptLimiter } from './port.ts'

/** One attempt that several limits have a say in. */
export type Counted = { readonly limiter: AttemptLimiter; readonly key: string }

/** The longest of several waits; undefined when none asks for one. */
export const longestWait = (...waits: readonly (number | undefined)[]): number | undefined => {
  const asked = waits.filter((seconds) => seconds !== undefined)
  return asked.length === 0 ? undefined : Math.max(...asked)
}

export const takeBackAll = async (counted: readonly Counted[]): Promise<void> => {
  await Promise.all(counted.map(({ limiter, key }) => limiter.takeBack(key)))
}

/** Counts an attempt with each limit, or with none where one of them has no room: then the longest wait. */
export const attemptAll = async (attempts: readonly Counted[]): Promise<number | undefined> => {
  const waits = await Promise.all(attempts.map(({ limiter, key }) => limiter.attempt(key)))
  const wait = longestWait(...waits)
  if (wait !== undefined) await takeBackAll(attempts.filter((_attempt, index) => waits[index] === undefined))
  return wait
}
