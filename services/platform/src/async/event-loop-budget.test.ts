import { expect, it } from 'vitest'
import { createEventLoopBudget } from './event-loop-budget.ts'

/** A budget in the real event loop, whose clock moves only while work runs. */
const createWorld = () => {
  let nowMs = 0
  const { yieldToEventLoop } = createEventLoopBudget({
    elapsedMs: () => nowMs,
    setImmediate: (callback) => void setImmediate(callback),
  })
  return { yieldToEventLoop, work: (forMs: number) => void (nowMs += forMs) }
}

it('PJ-10 background work alternates, and all of it shares one budget for each turn of the event loop', async () => {
  const { yieldToEventLoop, work } = createWorld()
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
      work(3)
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
  const { yieldToEventLoop, work } = createWorld()
  let hasTurned = false
  await yieldToEventLoop()
  setImmediate(() => (hasTurned = true))
  for (let piece = 0; piece < 10; piece++) {
    work(0.1)
    await yieldToEventLoop()
  }
  expect(hasTurned).toBe(false)
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
