import type { Envelope } from '@portal/contracts/shared/event-envelope'
import type { Bus, Consumer, Cursor, Delivery } from '@portal/platform/bus/port'
import { describe, expect, it } from 'vitest'
import { readModelsOn } from '@portal/platform/testing/generations/single-read-model'
import { createMetrics } from '@portal/platform/observability/metrics/metrics'
import { openSqliteReadModel } from '@portal/platform/read-model/sqlite'
import { scriptedBus } from '@portal/platform/testing/projection/scripted-bus'
import { pino } from 'pino'
import { afterEarlierProjections, createDeliveryWorker } from './worker.ts'

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
  // Opaque to everything but a bus, and this test has none.
  cursor: position as Cursor,
})

/** A bus on which the test publishes to its consumer. */
const startConsumer = async (handle: Consumer['handle'], whenApplied: () => Promise<boolean>) => {
  let consumer: Consumer | undefined
  const bus: Bus = {
    ...scriptedBus([]).bus,
    consume: async (given) => {
      consumer = given
      return { startedAt: {}, stop: async () => undefined }
    },
  }
  const waits: string[] = []
  const readModel = {
    whenApplied: async (projection: string, partition: string, position: string) => {
      waits.push(`${projection} ${partition} ${position}`)
      return whenApplied()
    },
  }
  await afterEarlierProjections(bus, { inbox: readModel, preferences: readModel }, 5).consume({
    group: 'test',
    topics: ['notifications'],
    loadCursors: async () => ({}),
    handle,
  })
  if (!consumer) throw new Error('no consumer')
  return { deliver: consumer.handle, waits }
}

describe('a consumer after the projections of inboxes and preferences', () => {
  it('gets messages once the projections have applied the last of them', async () => {
    const order: string[] = []
    const { deliver, waits } = await startConsumer(
      async () => void order.push('handled'),
      async () => {
        order.push('applied')
        return true
      },
    )
    await deliver([deliveryOf('b01', '1:00'), deliveryOf('b02', '1:01'), deliveryOf('b01', '2:00', 'SessionEnded')])
    await deliver([deliveryOf('b03', '3:00', 'PreferencesChanged')])
    expect(order).toEqual(['applied', 'handled', 'applied', 'handled'])
    expect(waits).toEqual(['inbox b02 1:01', 'preferences b03 3:00'])
  })

  it('gets them as well if a projection is halted', async () => {
    const handled: number[] = []
    const { deliver } = await startConsumer(
      async (deliveries) => void handled.push(deliveries.length),
      async () => false,
    )
    await deliver([deliveryOf('b01', '1:00')])
    expect(handled).toEqual([1])
  })
})

describe('a worker whose start fails partway', () => {
  it('stops the consumers that it has started', async () => {
    const readModel = openSqliteReadModel({ path: ':memory:', namespace: 'main' })
    const readModels = readModelsOn(readModel)
    const consuming = new Set<string>()
    const bus: Bus = {
      ...scriptedBus([]).bus,
      consume: async ({ group }) => {
        if (group.includes('push-tokens')) throw new Error('the bus is gone')
        consuming.add(group)
        return { startedAt: {}, stop: async () => void consuming.delete(group) }
      },
    }
    const worker = createDeliveryWorker({
      bus,
      earlier: { inbox: readModel, preferences: readModel },
      pendingDeliveries: readModels.control,
      control: readModels.control,
      continuity: readModels.continuity,
      log: { holds: async () => true },
      now: () => ({ wallMs: 0, steadyMs: 0 }),
      schedule: {
        recheckAll: () => undefined,
        nextAtMs: () => Number.POSITIVE_INFINITY,
        onEarlier: () => undefined,
        arrived: () => undefined,
        stopped: () => undefined,
        recheck: () => undefined,
      },
      postponed: {
        recheckAll: () => undefined,
        nextAtMs: () => Number.POSITIVE_INFINITY,
        onEarlier: () => undefined,
        postponed: () => undefined,
        isWaiting: () => false,
        deliver: async () => undefined,
      },
      deliverDue: async () => undefined,
      seenBatcher: { recheck: () => undefined },
      endPushTokens: async () => undefined,
      metrics: createMetrics(),
      logger: pino({ level: 'silent' }),
      abort: new AbortController(),
    })
    await expect(worker.start()).rejects.toThrow('the bus is gone')
    expect([...consuming]).toHaveLength(1)
    await worker.stop()
    expect([...consuming]).toEqual([])
    await readModel.close()
  })
})
