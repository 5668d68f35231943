import { performance } from 'node:perf_hooks'

const sliceMs = 2

/**
 * Background work shares the event loop with requests, and all consumers share one slice of each of its turns: were each
 * to count for itself, ten of them would hold up a request for twenty milliseconds. Undefined until somebody works.
 */
let sliceEndsAtMs: number | undefined
let waiting: (() => void)[] = []

const openSlice = (): void => {
  sliceEndsAtMs = performance.now() + sliceMs
  setImmediate(nextTurn)
}

const nextTurn = (): void => {
  const resumed = waiting
  waiting = []
  sliceEndsAtMs = undefined
  if (resumed.length > 0) openSlice()
  // All of them, so that nobody starves: a turn takes no longer than the slice and one piece of work of each.
  for (const resume of resumed) resume()
}

/** Whether `breathe` would have to wait: the moment to put down what is half done. */
export const isOutOfBreath = (): boolean => sliceEndsAtMs !== undefined && performance.now() >= sliceEndsAtMs

/** To be awaited before each piece of background work: goes on at once, or in the next turn when the slice is used up. */
export const breathe = async (): Promise<void> => {
  if (sliceEndsAtMs === undefined) openSlice()
  else if (isOutOfBreath()) await new Promise<void>((resolve) => waiting.push(resolve))
}
