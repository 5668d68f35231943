import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Bus, Consumer, Cursor, Delivery } from '@portal/platform/bus/port'
import { describe, expect, it } from 'vitest'
import { afterInboxProjection } from './worker.ts'

const deliveryOf = (key: string, position: string, type = 'RecipientsTargeted'): Delivery => ({
  envelope: {
    id: position,
    topic: type === 'SessionEnded' ? 'auth' : 'notifications',
    key,
    position,
    type,
    at: '2026-01-01T00:00:00.000Z',
    data: {},
  } satisfies Envelope,
  busPartition: '0',
  // Opaque to everybody but a bus, and there is none here.
  cursor: position as Cursor,
})

/** A bus that hands its consumer what the test gives it. */
const handedOver = async (handle: Consumer['handle'], whenApplied: () => Promise<boolean>) => {
  let consumer: Consumer | undefined
  const bus: Bus = {
    consume: async (given) => {
      consumer = given
      return { startedAt: {}, stop: async () => undefined }
    },
    hasReached: () => true,
    check: async () => undefined,
    close: async () => undefined,
  }
  const asked: string[] = []
  const readModel = {
    whenApplied: async (projection: string, partition: string, position: string) => {
      asked.push(`${projection} ${partition} ${position}`)
      return whenApplied()
    },
  }
  await afterInboxProjection(bus, readModel, 5).consume({
    group: 'test',
    topics: ['notifications'],
    loadCursors: async () => ({}),
    handle,
  })
  if (!consumer) throw new Error('nobody consumes')
  return { deliver: consumer.handle, asked }
}

describe('a consumer behind the inbox', () => {
  it('gets messages when the inbox has applied the last of them', async () => {
    const order: string[] = []
    const { deliver, asked } = await handedOver(
      async () => void order.push('handled'),
      async () => {
        order.push('applied')
        return true
      },
    )
    await deliver([deliveryOf('b01', '1:00'), deliveryOf('b02', '1:01'), deliveryOf('b01', '2:00', 'SessionEnded')])
    expect(order).toEqual(['applied', 'handled'])
    expect(asked).toEqual(['inbox b02 1:01'])
  })

  it('gets them as well when the inbox stands still', async () => {
    const handled: number[] = []
    const { deliver } = await handedOver(
      async (deliveries) => void handled.push(deliveries.length),
      async () => false,
    )
    await deliver([deliveryOf('b01', '1:00')])
    expect(handled).toEqual([1])
  })
})
