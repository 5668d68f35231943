import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createCoalescingQueue } from './coalescing-queues.ts'
import { until } from '@portal/platform/testing/until'

describe('the coalescing queue', () => {
  it('runs every item added after its last run, and never one item concurrently', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(5), fc.constantFrom('at once', 'in a later microtask', 'in a later turn')), {
          maxLength: 200,
        }),
        async (additions) => {
          const added = new Map<number, number>()
          const seen = new Map<number, number>()
          const running = new Set<number>()
          const twiceAtATime: number[] = []
          const queue = createCoalescingQueue<number>(async (item) => {
            if (running.has(item)) twiceAtATime.push(item)
            running.add(item)
            const upTo = added.get(item) ?? 0
            await new Promise((resolve) => setImmediate(resolve))
            seen.set(item, upTo)
            running.delete(item)
          })
          for (const [item, when] of additions) {
            if (when === 'in a later turn') await new Promise((resolve) => setImmediate(resolve))
            if (when === 'in a later microtask') await Promise.resolve()
            added.set(item, (added.get(item) ?? 0) + 1)
            queue.add(item)
          }
          await until(() => expect(seen).toEqual(added))
          expect(twiceAtATime).toEqual([])
        },
      ),
      { numRuns: 30 },
    )
  })

  it('drops queued items when it stops', async () => {
    const worked: number[] = []
    const queue = createCoalescingQueue<number>(async (item) => void worked.push(item))
    for (let item = 0; item < 1_000; item++) queue.add(item)
    await queue.stop()
    const before = worked.length
    expect(before).toBeLessThan(1_000)
    await new Promise((resolve) => setImmediate(resolve))
    expect(worked).toHaveLength(before)
  })
})
