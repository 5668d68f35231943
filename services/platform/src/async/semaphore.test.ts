import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { forEachConcurrently, createSemaphore } from './semaphore.ts'

/** Counts how many run at the same time. */
const createGauge = () => {
  let running = 0
  let most = 0
  return {
    most: () => most,
    run: async () => {
      running += 1
      most = Math.max(most, running)
      await nextTurn()
      running -= 1
    },
  }
}

describe('forEachConcurrently', () => {
  it('processes each item once, at most `limit` at a time', async () => {
    const gauge = createGauge()
    const done: number[] = []
    await forEachConcurrently(3, [1, 2, 3, 4, 5, 6, 7], async (item) => {
      await gauge.run()
      done.push(item)
    })
    expect(done.toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(gauge.most()).toBe(3)
  })

  it('continues after a failure, and rejects with all failures at the end', async () => {
    const done: number[] = []
    const working = forEachConcurrently(2, [1, 2, 3, 4], async (item) => {
      if (item % 2 === 1) throw new Error(`no ${item}`)
      done.push(item)
    })
    await expect(working).rejects.toMatchObject({ errors: [{ message: 'no 1' }, { message: 'no 3' }] })
    expect(done).toEqual([2, 4])
  })
})

describe('a semaphore', () => {
  it('runs at most `permits` pieces of work at a time, and all of them in the end, even after a failure', async () => {
    const gauge = createGauge()
    const withPermit = createSemaphore(2)
    const results = await Promise.allSettled(
      [1, 2, 3, 4, 5].map((n) =>
        withPermit(async () => {
          await gauge.run()
          if (n === 2) throw new Error('no 2')
          return n
        }),
      ),
    )
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'fulfilled',
    ])
    expect(gauge.most()).toBe(2)
  })
})
