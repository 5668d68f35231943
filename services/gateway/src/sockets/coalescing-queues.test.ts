import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBucketQueues, createCoalescingQueue } from './coalescing-queues.ts'
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

describe('the queues of buckets', () => {
  it('wait for the last message of a bucket, also after its positions have become lower', async () => {
    const waits: string[] = []
    const applied: string[] = []
    const queues = createBucketQueues<string>({
      waitUntilApplied: async (bucket, position) => {
        waits.push(`${bucket} ${position}`)
        return true
      },
      onApplied: (item) => applied.push(item),
      stopping: new AbortController().signal,
    })
    queues.add('b1', ['ada'], '15')
    await until(() => expect(applied).toEqual(['ada']))
    // The event store went back: its next events have lower positions.
    queues.add('b1', ['ada'], '12')
    await until(() => expect(applied).toEqual(['ada', 'ada']))
    queues.add('b1', ['ben'])
    await until(() => expect(applied).toEqual(['ada', 'ada', 'ben']))
    expect(waits).toEqual(['b1 15', 'b1 12'])
  })
})
