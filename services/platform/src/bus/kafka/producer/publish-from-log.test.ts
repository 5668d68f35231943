import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { describe, expect, it } from 'vitest'
import type { CaughtUp, Position, RecordedEvent } from '../../../event-store/port.ts'
import { positionOf } from '../../log-cursor.ts'
import { createRelay } from '../../relay.ts'
import { publishFromLog } from './publish-from-log.ts'

// Only stores make positions; this test makes its own.
const at = (n: number) => String(n).padStart(4, '0') as Position
const event = (n: number): RecordedEvent => ({
  kind: 'event',
  position: at(n),
  stream: 'test-1',
  revision: n,
  id: `id-${n}`,
  type: 'Counted',
  data: { n },
  metadata: {},
  at: '2026-01-01T00:00:00.000Z',
})
const caughtUp = (n: number): CaughtUp => ({ kind: 'caught-up', position: at(n) })

async function* from(items: readonly (RecordedEvent | CaughtUp)[]) {
  yield* items
}

const relayOf = (copies: number, unknown?: number) =>
  createRelay([
    {
      category: 'test',
      topics: ['notifications'],
      publish({ data, revision }) {
        if (revision === unknown) throw new Error('unknown event')
        const message = { topic: 'notifications', key: 'k', type: 'Counted', data: data as object } as const
        return Array.from({ length: copies }, () => message)
      },
    },
  ])

const publish = async (items: readonly (RecordedEvent | CaughtUp)[], relay = relayOf(1)) => {
  const published: string[] = []
  const batches: number[] = []
  const reached: string[] = []
  let timesCaughtUp = 0
  const done = publishFromLog({
    openSource: () => from(items),
    relay,
    async publish(envelopes: readonly Envelope[]) {
      published.push(...envelopes.map(({ position }) => position))
      batches.push(envelopes.length)
    },
    onReached: (position) => reached.push(positionOf(position)),
    onCaughtUp: () => timesCaughtUp++,
  })
  const error = await done.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return { published, batches, reached, timesCaughtUp, error }
}

describe('publishing from the log', () => {
  it('publishes everything in the order of the log, and reports its position', async () => {
    const { published, reached, timesCaughtUp } = await publish([event(1), event(2), event(3), caughtUp(7)], relayOf(2))
    expect(published).toEqual(['0001:00', '0001:01', '0002:00', '0002:01', '0003:00', '0003:01'])
    expect(reached.at(-1)).toBe('0007')
    expect(timesCaughtUp).toBe(1)
  })

  it('publishes at most a few hundred messages at once, and only complete events', async () => {
    const events = Array.from({ length: 20 }, (_, n) => event(n))
    const { batches, published } = await publish(events, relayOf(99))
    expect(published).toHaveLength(20 * 99)
    expect(Math.max(...batches)).toBeLessThan(600)
    expect(batches.every((size) => size % 99 === 0)).toBe(true)
  })

  it('publishes the events before one that it cannot translate, and none after it', async () => {
    const { published, reached, error } = await publish([event(1), event(2), event(3), event(4)], relayOf(1, 3))
    expect(published).toEqual(['0001:00', '0002:00'])
    expect(reached.at(-1)).toBe('0002')
    expect(String(error)).toContain('Event type Counted of category test at position 0003')
  })
})
