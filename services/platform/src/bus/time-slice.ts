import { performance } from 'node:perf_hooks'

const sliceMs = 2

/**
 * Background work shares the event loop with requests, and several consumers share what is left. All of them together get
 * one slice of 2 ms per turn of the loop, one after the other: were each to yield by a setImmediate of its own, ten of
 * them would hold up a request for twenty milliseconds.
 */
const queue: (() => void)[] = []
let sliceEndsAtMs = 0

const nextTurn = (): void => {
  const resume = queue.shift()
  if (resume === undefined) return
  sliceEndsAtMs = performance.now() + sliceMs
  if (queue.length > 0) setImmediate(nextTurn)
  resume()
}

/** To be awaited between two pieces of background work: goes on at once within the slice, else after a turn of the loop. */
export const breathe = async (): Promise<void> => {
  if (performance.now() < sliceEndsAtMs) return
  await new Promise<void>((resolve) => {
    queue.push(resolve)
    if (queue.length === 1) setImmediate(nextTurn)
  })
}
