import { Kafka, logLevel } from 'kafkajs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watch } from './watchdog.ts'

const minuteMs = 60_000

describe('the watchdog of a consumer on Kafka', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A consumer that is not connected, whose fetching is told here. */
  const start = (partition: { offset: bigint; high: bigint; isIdle: boolean }) => {
    const kafka = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).consumer({ groupId: 'test' })
    let onFetch = () => {}
    const watchdog = watch({
      kafka: {
        events: kafka.events,
        on(_name: string, listener: (event: never) => void) {
          // What it is told is not looked at.
          onFetch = listener as () => void
          return () => undefined
        },
      },
      partitions: () => new Map([['auth-0', { next: () => partition.offset + 1n, isIdle: () => partition.isIdle }]]),
      bounds: async () => new Map([[0, { low: 0n, high: partition.high }]]),
    })
    let reason: string | undefined
    watchdog.stalled.catch((error: unknown) => (reason = String(error)))
    const pass = async (ms: number, isFetching: boolean) => {
      for (let passed = 0; passed < ms; passed += 250) {
        if (isFetching) onFetch()
        await vi.advanceTimersByTimeAsync(250)
      }
    }
    return { pass, reason: () => reason, stop: watchdog.stop }
  }

  it('BUS-47 lets a consumer be that fetches and has everything', async () => {
    const { pass, reason, stop } = start({ offset: 9n, high: 10n, isIdle: true })
    await pass(minuteMs, true)
    expect(reason()).toBeUndefined()
    stop()
  })

  it('BUS-47 notices one that fetches no more', async () => {
    const { pass, reason, stop } = start({ offset: 9n, high: 10n, isIdle: true })
    await pass(minuteMs, false)
    expect(reason()).toContain('Nothing was fetched for 30 s')
    stop()
  })

  it('BUS-47 notices one that leaves a partition out', async () => {
    const { pass, reason, stop } = start({ offset: 9n, high: 11n, isIdle: true })
    await pass(minuteMs, true)
    expect(reason()).toContain('Nothing is fetched of auth-0')
    stop()
  })

  it('BUS-47 lets one be that moves, or is busy', async () => {
    const moving = { offset: 9n, high: 1_000n, isIdle: true }
    const watched = start(moving)
    for (let step = 0; step < 30; step++) {
      moving.offset++
      await watched.pass(2_000, true)
    }
    expect(watched.reason()).toBeUndefined()
    watched.stop()
    const busy = start({ offset: 9n, high: 1_000n, isIdle: false })
    await busy.pass(minuteMs, true)
    expect(busy.reason()).toBeUndefined()
    busy.stop()
  })
})
