/** @module-tag verify */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startKafka } from '@portal/engines/kafka'
import { createTally, openTestPortal } from '@portal/platform/testing/bus/kafka/portal'
import { until } from '../../../testing/until.ts'

const keys = Array.from({ length: 12 }, (_, i) => `key-${i}`)
const waitFor = <T>(probe: () => T | Promise<T>) => until(probe, { timeoutMs: 60_000 })

describe('a broker that is killed', { timeout: 120_000 }, () => {
  const undo: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step()
  })

  const startBroker = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'kafka-outage-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const broker = await startKafka({ folder })
    undo.push(() => broker.stop())
    return broker
  }

  it('BUS-47 FD-16 loses no message and no order under load, and everything resumes without a restart', async () => {
    const broker = await startBroker()
    const portal = await openTestPortal(broker.url)
    undo.push(portal.close)
    const logPublisher = await portal.startLogPublisher()
    const bus = await portal.openBus()
    const tally = createTally()
    await bus.consume(tally.consumer)

    let appended = 0
    const load = new AbortController()
    const appending = (async () => {
      for (; !load.signal.aborted; appended++) {
        await portal.append(appended, keys)
        await delay(5)
      }
    })()
    await waitFor(() => expect(tally.deliveries()).toBeGreaterThan(1_000))
    await broker.kill()
    await waitFor(() => expect(logPublisher.check()).rejects.toThrow('cannot publish'))
    await expect(bus.check()).rejects.toThrow(/Kafka|broker|connect/i)

    await broker.restart()

    await waitFor(() => expect(logPublisher.check()).resolves.toBeUndefined())
    load.abort()
    await appending

    const all = Array.from({ length: appended }, (_, n) => n)
    await waitFor(() => {
      for (const key of keys) expect(tally.applied.get(key)?.length).toBe(all.length)
    })

    for (const key of keys) expect(tally.applied.get(key)).toEqual(all)
    await expect(logPublisher.check()).resolves.toBeUndefined()
    await waitFor(() => expect(bus.check()).resolves.toBeUndefined())
  })
})
