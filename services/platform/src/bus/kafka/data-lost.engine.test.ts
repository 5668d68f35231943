/** @module-tag verify */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { startKafka } from '@portal/dev-cluster/engines/kafka'
import { createTally, openTestPortal } from '@portal/platform/testing/bus/kafka/portal'
import { until } from '../../../testing/until.ts'

const keys = Array.from({ length: 12 }, (_, i) => `key-${i}`)
const waitFor = <T>(probe: () => T | Promise<T>) => until(probe, { timeoutMs: 60_000 })

describe('a broker that comes back without its data', { timeout: 150_000 }, () => {
  const undo: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const step of undo.splice(0).toReversed()) await step()
  })

  const startBroker = async (port?: number) => {
    const folder = await mkdtemp(join(tmpdir(), 'kafka-lost-'))
    undo.push(() => rm(folder, { recursive: true, force: true }))
    const broker = await startKafka({ folder, ...(port !== undefined && { port }) })
    undo.push(() => broker.stop())
    return broker
  }

  it('BUS-43 FD-19 consumers get everything in order under load, whether they lag or keep up', async () => {
    const broker = await startBroker()
    const portal = await openTestPortal(broker.url)
    undo.push(portal.close)
    await portal.startLogPublisher()
    const bus = await portal.openBus()
    const prompt = createTally({ group: 'prompt' })
    const late = createTally({ group: 'late' })
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    let isHeld = false
    await bus.consume(prompt.consumer)
    await bus.consume({
      ...late.consumer,
      async handle(deliveries) {
        if (isHeld) await released
        await late.consumer.handle(deliveries)
      },
    })

    let appended = 0
    const load = new AbortController()
    const appending = (async () => {
      for (; !load.signal.aborted; appended++) {
        await portal.append(appended, keys)
        await delay(5)
      }
    })()
    await waitFor(() => expect(late.deliveries()).toBeGreaterThan(200))
    isHeld = true
    const heldAt = appended
    await waitFor(() => expect(appended).toBeGreaterThan(heldAt + 50))
    await broker.kill()
    await startBroker(Number(new URL(broker.url).port))
    const back = appended
    await waitFor(() => expect(prompt.applied.get(keys[0] ?? '')?.length).toBeGreaterThan(back))
    release()
    load.abort()
    await appending

    const all = Array.from({ length: appended }, (_, n) => n)
    for (const tally of [prompt, late]) {
      await waitFor(() => expect(keys.map((key) => tally.applied.get(key)?.length)).toEqual(keys.map(() => all.length)))
      for (const key of keys) expect(tally.applied.get(key)).toEqual(all)
    }
  })
})
