import { expect, it } from 'vitest'
import { breathe } from './time-slice.ts'

/** Keeps the processor busy for longer than a slice. */
const work = () => {
  const end = performance.now() + 3
  while (performance.now() < end) Math.sqrt(end)
}

it('PJ-10 background work takes turns, and each turn of the loop has one slice for all', async () => {
  const order: string[] = []
  let isDone = false
  const noteTurns = () => {
    if (order.at(-1) !== '|') order.push('|')
    if (!isDone) setImmediate(noteTurns)
  }
  const run = async (name: string) => {
    for (let piece = 0; piece < 4; piece++) {
      await breathe()
      order.push(name)
      work()
    }
  }
  await new Promise((resolve) => setImmediate(resolve))
  setImmediate(noteTurns)
  await Promise.all([run('a'), run('b'), run('c')])
  isDone = true
  expect(order.filter((entry) => entry !== '|').join('')).toBe('abcabcabcabc')
  for (const twice of ['a', 'b', 'c']) expect(order.join('')).not.toMatch(new RegExp(`${twice}[^|]*${twice}`))
})

it('PJ-10 goes on at once within a slice', async () => {
  const goesOnAtOnce = async () => {
    let hasTurned = false
    await new Promise((resolve) => setImmediate(resolve))
    await breathe()
    setImmediate(() => (hasTurned = true))
    for (let piece = 0; piece < 10; piece++) await breathe()
    return !hasTurned
  }
  // A busy machine may take the whole slice away, but hardly every time.
  const tries: boolean[] = []
  while (tries.length < 50) tries.push(await goesOnAtOnce())
  expect(tries).toContain(true)
})
