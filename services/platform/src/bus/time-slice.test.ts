import { expect, it } from 'vitest'
import { breathe } from './time-slice.ts'

/** Keeps the processor busy for longer than a slice. */
const work = () => {
  const end = performance.now() + 3
  while (performance.now() < end) Math.sqrt(end)
}

it('PJ-10 background work takes turns, and gives the loop a turn after each slice', async () => {
  const order: string[] = []
  let turns = 0
  let isDone = false
  const countTurns = () => {
    turns++
    if (!isDone) setImmediate(countTurns)
  }
  setImmediate(countTurns)
  const run = async (name: string) => {
    await breathe()
    for (let piece = 0; piece < 5; piece++) {
      order.push(name)
      work()
      await breathe()
    }
  }
  await Promise.all([run('a'), run('b'), run('c')])
  isDone = true
  expect(order.join('')).toBe('abcabcabcabcabc')
  expect(turns).toBeGreaterThanOrEqual(15)
})

it('PJ-10 goes on at once within a slice', async () => {
  await breathe()
  work()
  await breathe()
  // A new slice has begun, and hardly anything of it is used.
  let hasTurned = false
  setImmediate(() => (hasTurned = true))
  await breathe()
  expect(hasTurned).toBe(false)
})
