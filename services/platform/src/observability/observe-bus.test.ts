import type { Envelope } from '@portal/contracts/shared/event-envelope'
import { describe, expect, it } from 'vitest'
import type { Bus, Consumer, Cursor, Delivery } from '../bus/port.ts'
import { noObservability } from './observability.ts'
import { createInFlightAge, observeBus } from './observe-bus.ts'

const delivery = (position: string): Delivery => {
  const at = new Date(Date.now() - 2_000).toISOString()
  const envelope: Envelope = { id: position, topic: 'auth', key: 'b01', position, type: 'Happened', at, data: {} }
  return { envelope, busPartition: '0', cursor: position as Cursor } // as a bus would create it
}

/** A bus that delivers the test's messages. */
const scripted = () => {
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
  return { bus, deliver: async (...deliveries: readonly Delivery[]) => consumer?.handle(deliveries) }
}

const start = async (group: string, handle: Consumer['handle']) => {
  const observability = noObservability()
  const { bus, deliver } = scripted()
  const subscription = await observeBus(bus, observability).consume({
    group,
    topics: ['auth'],
    loadCursors: async () => ({}),
    handle,
  })
  const line = async (name: string) =>
    (await observability.metrics.scrape()).text.split('\n').filter((text) => text.startsWith(name))
  return { deliver, line, subscription }
}

describe('an observed bus', () => {
  it('counts what consumers handle', async () => {
    const { deliver, line } = await start('projection:inbox', async () => undefined)
    await deliver(delivery('1'), delivery('2'))
    expect(await line('portal_bus_messages_total{')).toEqual([
      'portal_bus_messages_total{consumer="projection:inbox"} 2',
    ])
    expect(await line('portal_bus_message_age_seconds_bucket{consumer="projection:inbox",le="1"}')).toEqual([
      'portal_bus_message_age_seconds_bucket{consumer="projection:inbox",le="1"} 0',
    ])
    expect(await line('portal_bus_message_age_seconds_count')).toEqual([
      'portal_bus_message_age_seconds_count{consumer="projection:inbox"} 1',
    ])
  })

  it('labels the consumer of a single process without its id', async () => {
    const { deliver, line } = await start('gateway-0b9d8c1e-3f43-4a51-9a0e-3b8a4d1c2e5f', async () => undefined)
    await deliver(delivery('1'))
    expect(await line('portal_bus_messages_total{')).toEqual(['portal_bus_messages_total{consumer="gateway"} 1'])
  })

  it('rethrows errors, counts them by name, and reports the age of messages in flight', async () => {
    let failing = true
    const { deliver, line, subscription } = await start('projection:inbox', async () => {
      if (failing) throw new TypeError('with a name in it')
    })
    await expect(deliver(delivery('1'))).rejects.toThrow('with a name in it')
    expect(await line('portal_bus_handle_failures_total{')).toEqual([
      'portal_bus_handle_failures_total{consumer="projection:inbox",error="TypeError"} 1',
    ])
    const oldest = async () => Number((await line('portal_bus_oldest_in_hand_seconds{'))[0]?.split(' ')[1])
    expect(await oldest()).toBeGreaterThanOrEqual(2)
    failing = false
    await deliver(delivery('1'))
    expect(await oldest()).toBe(0)
    await subscription.stop()
  })
})

describe('the messages in flight', () => {
  let nowMs = 0
  const startAges = () => {
    nowMs = 100_000
    return createInFlightAge(() => nowMs)
  }

  it('are as old as the oldest message, and 0 after it is handled', () => {
    const inHand = startAges()
    expect(inHand.oldestMs()).toBe(0)
    inHand.received('0', 99_000)
    inHand.received('1', 70_000)
    expect(inHand.oldestMs()).toBe(30_000)
    inHand.done('1')
    expect(inHand.oldestMs()).toBe(1_000)
    inHand.done('0')
    expect(inHand.oldestMs()).toBe(0)
  })
  it('age while a batch hangs or is redelivered', () => {
    const inHand = startAges()
    inHand.received('0', 99_000)
    nowMs += 3_600_000
    expect(inHand.oldestMs()).toBe(3_601_000)
    inHand.rejected('0')
    nowMs += 5_000
    expect(inHand.oldestMs()).toBe(3_606_000)
  })
  it('no longer count if the batch is not redelivered, because another process has the partition', () => {
    const inHand = startAges()
    inHand.received('0', 99_000)
    inHand.rejected('0')
    nowMs += 61_000
    expect(inHand.oldestMs()).toBe(0)
  })
})
