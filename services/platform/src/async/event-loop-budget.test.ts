import { expect, it } from 'vitest'
import { createEventLoopBudget, yieldToEventLoop } from './event-loop-budget.ts'

/** Keeps the processor busy for longer than the budget. */
const work = () => {
  const end = performance.now() + 3
  while (performance.now() < end) Math.sqrt(end)
}

it('PJ-10 background work alternates, and all of it shares one budget for each turn of the event loop', async () => {
  const order: string[] = []
  let isDone = false
  const noteTurns = () => {
    if (order.at(-1) !== '|') order.push('|')
    if (!isDone) setImmediate(noteTurns)
  }
  const run = async (name: string) => {
    for (let piece = 0; piece < 4; piece++) {
      await yieldToEventLoop()
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

it('PJ-10 continues at once within the budget', async () => {
  const continuesAtOnce = async () => {
    let hasTurned = false
    await new Promise((resolve) => setImmediate(resolve))
    await yieldToEventLoop()
    setImmediate(() => (hasTurned = true))
    for (let piece = 0; piece < 10; piece++) await yieldToEventLoop()
    return !hasTurned
  }
  // A busy machine may use up the whole budget, but hardly every time.
  const tries: boolean[] = []
  while (tries.length < 50) tries.push(await continuesAtOnce())
  expect(tries).toContain(true)
})

it('PJ-10 is over budget from the end of the budget to the next turn', async () => {
  let nowMs = 0
  let startTurn = (): void => undefined
  const budget = createEventLoopBudget({ elapsedMs: () => nowMs, setImmediate: (callback) => (startTurn = callback) })
  expect(budget.isOverBudget()).toBe(false)
  await budget.yieldToEventLoop()
  nowMs = 1.9
  expect(budget.isOverBudget()).toBe(false)
  nowMs = 2
  expect(budget.isOverBudget()).toBe(true)
  let isResumed = false
  const waiting = budget.yieldToEventLoop().then(() => (isResumed = true))
  await Promise.resolve()
  expect(isResumed).toBe(false)
  startTurn()
  await waiting
  expect(budget.isOverBudget()).toBe(false)
})
