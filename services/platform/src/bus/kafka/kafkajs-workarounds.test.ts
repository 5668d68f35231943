import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { Kafka, logLevel } from 'kafkajs'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseKafkaAddress } from './address.ts'
import { createKafkaClient } from './client.ts'
import { startWatchdog, trackConnections, type TrackedConnections } from './kafkajs-workarounds.ts'
import { until } from '../../../testing/until.ts'

it('kafkajs sets no timer with a negative delay', async () => {
  const warnings: string[] = []
  const onWarning = ({ name }: Error) => warnings.push(name)
  process.on('warning', onWarning)
  // Answers every request with an unsupported protocol version, which kafkajs counts as an answer.
  const server = createServer((socket) => {
    socket.on('data', (request) => {
      const answer = Buffer.alloc(10)
      answer.writeInt32BE(6, 0)
      answer.writeInt32BE(request.readInt32BE(8), 4)
      answer.writeInt16BE(35, 8)
      socket.write(answer)
    })
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a port, so the address is an object.
  const { port } = server.address() as AddressInfo
  const admin = createKafkaClient(parseKafkaAddress(`kafka://127.0.0.1:${port}`), pino({ level: 'silent' })).admin({
    retry: { retries: 0 },
  })
  await expect(admin.connect()).rejects.toThrow(/version|connect|broker/i)
  await admin.disconnect()
  server.close()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('warning', onWarning)
  expect(warnings).not.toContain('TimeoutNegativeWarning')
})

const serve = async () => {
  const accepted: Socket[] = []
  const server = createServer((socket) => {
    accepted.push(socket.on('error', () => undefined))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of accepted) socket.destroy()
    server.close()
  })
  // The server listens on a port, so the address is an object.
  const { port } = server.address() as AddressInfo
  const connect = async ({ socketFactory }: TrackedConnections) => {
    const connected = Promise.withResolvers<void>()
    // kafkajs omits it without TLS.
    const socket = socketFactory({ host: '127.0.0.1', port, onConnect: connected.resolve } as never)
    onTestFinished(() => void socket.destroy())
    await connected.promise
    await until(() => expect(accepted.length).toBeGreaterThan(0))
  }
  return { connect, accepted, cutAll: () => accepted.forEach((socket) => socket.destroy()) }
}

it('FD-19 opens no connection after one was lost, so that offsets are compared before a write', async () => {
  const { connect, cutAll } = await serve()
  const connections = trackConnections({ canReconnect: false })
  await connect(connections)
  await connect(connections)
  expect(connections.lostCount()).toBe(0)
  cutAll()
  await until(() => expect(connections.lostCount()).toBeGreaterThan(0))
  await expect(connect(connections)).rejects.toThrow('connection was lost')
})

it('BUS-43 counts lost connections, and opens others', async () => {
  const { connect, cutAll } = await serve()
  const connections = trackConnections({ canReconnect: true })
  await connect(connections)
  cutAll()
  await until(() => expect(connections.lostCount()).toBe(1))
  await connect(connections)
})

it('destroy closes all connections and rejects new ones', async () => {
  const { connect, accepted } = await serve()
  const connections = trackConnections({ canReconnect: true })
  await connect(connections)
  await connect(connections)
  connections.destroy()
  await until(() => expect(accepted.filter(({ closed }) => closed)).toHaveLength(2))
  await expect(connect(connections)).rejects.toThrow('have been closed')
})

const minuteMs = 60_000

describe('the watchdog of a Kafka consumer', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  /** A consumer without a connection, whose fetches the test reports. */
  const start = (partition: { offset: bigint; high: bigint; isIdle: boolean; handled?: string; last?: string }) => {
    const kafka = new Kafka({ brokers: ['127.0.0.1:1'], logLevel: logLevel.NOTHING }).consumer({ groupId: 'test' })
    let onFetch = () => {}
    const watchdog = startWatchdog({
      kafka: {
        events: kafka.events,
        on(_name: string, listener: (event: never) => void) {
          // The argument is not used.
          onFetch = listener as () => void
          return () => undefined
        },
      },
      partitions: () => {
        const { offset, handled: position, isIdle } = partition
        const watched = {
          next: () => offset + 1n,
          position: () => (position === undefined ? {} : { offset, position }),
          isIdle: () => isIdle,
        }
        return new Map([['auth-0', watched]])
      },
      bounds: async () => new Map([[0, { low: 0n, high: partition.high }]]),
      positionAt: async () => partition.last,
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

  it('BUS-47 detects a consumer that no longer fetches, or skips a partition', async () => {
    const reasonAfterMinute = async (high: bigint, isIdle: boolean, isFetching: boolean) => {
      const { pass, reason, stop } = start({ offset: 9n, high, isIdle })
      await pass(minuteMs, isFetching)
      stop()
      return reason()
    }
    expect(await reasonAfterMinute(10n, true, false)).toContain('No fetch for 30 s')
    expect(await reasonAfterMinute(11n, true, true)).toContain('No messages are fetched from auth-0')
    // It has handled everything, or is busy.
    expect(await reasonAfterMinute(10n, true, true)).toBeUndefined()
    expect(await reasonAfterMinute(1_000n, false, true)).toBeUndefined()
  })

  it('BUS-43 detects at its next check that Kafka has less than was handled, if no message follows', async () => {
    const partition = { offset: 9n, high: 10n, isIdle: true }
    const { pass, reason, stop } = start(partition)
    await pass(15_000, true)
    expect(reason()).toBeUndefined()
    partition.high = 0n
    await pass(5_000, true)
    expect(reason()).toContain('has lost messages of auth-0')
    stop()
  })

  it.each([
    ['what was handled', { offset: 9n, high: 10n, isIdle: true, handled: '7:0', last: '7:0' }],
    ['what it found before', { offset: 9n, high: 10n, isIdle: true, last: '7:0' }],
  ])('BUS-43 detects that the last message in Kafka is no longer %s', async (_, partition) => {
    const { pass, reason, stop } = start(partition)
    await pass(25_000, true)
    expect(reason()).toBeUndefined()
    partition.last = '9:0'
    await pass(10_000, true)
    expect(reason()).toContain('another message of auth-0')
    stop()
  })

  it('BUS-47 accepts a consumer that makes progress', async () => {
    const moving = { offset: 9n, high: 1_000n, isIdle: true }
    const watched = start(moving)
    for (let step = 0; step < 30; step++) {
      moving.offset++
      await watched.pass(2_000, true)
    }
    expect(watched.reason()).toBeUndefined()
    watched.stop()
  })
})
