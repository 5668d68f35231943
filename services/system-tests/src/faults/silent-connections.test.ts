/** @module-tag verify */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { startStandIn } from '@portal/engines/event-store/start'
import { freePort } from '@portal/engines/free-port'
import { startKafka } from '@portal/engines/kafka'
import { startRedis } from '@portal/engines/redis'
import { type FaultProxy, startFaultProxy } from '@portal/platform/testing/event-store/fault-proxy'
import { expect, it, onTestFinished } from 'vitest'
import { callRoute, logIn, seededEmail } from '../testing/api-client.ts'
import { connectInbox, type InboxClient } from '../testing/inbox-client.ts'
import { admin, eventually, seedLearners, startPortal } from '../testing/portal-process.ts'

/** A call to an engine takes at most 5 s. What was recorded just before that may wait 2 s more for its projection. */
const maxAnswerMs = 7_000
/** Until health is red or sends arrive again, and until health is green after the connection forwards again. */
const maxNoticeMs = 3_000
const silentMs = 8_000
const everyMs = 250

const engineNames = ['redis', 'event-store', 'kafka'] as const
type EngineName = (typeof engineNames)[number]

const host = '127.0.0.1'

/** The three engines, each behind a proxy. */
const startEngines = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'silent-'))
  const [kafkaPort, kafkaProxyPort] = [await freePort(), await freePort()]
  const redis = await startRedis({ folder: join(folder, 'redis') })
  const store = await startStandIn({ folder: join(folder, 'events') })
  const portOf = { redis: Number(new URL(redis.url).port), 'event-store': store.port, kafka: kafkaPort }
  const proxies: Record<EngineName, FaultProxy> = {
    redis: await startFaultProxy(() => ({ host, port: portOf.redis })),
    'event-store': await startFaultProxy(() => ({ host, port: portOf['event-store'] })),
    kafka: await startFaultProxy(() => ({ host, port: portOf.kafka }), kafkaProxyPort),
  }
  const kafka = await startKafka({ folder: join(folder, 'kafka'), port: kafkaPort, advertisedPort: kafkaProxyPort })
  onTestFinished(async () => {
    for (const proxy of Object.values(proxies)) await proxy.stop()
    await Promise.all([redis.stop(), store.stop(), kafka.stop()])
    await rm(folder, { recursive: true, force: true })
  })
  const settings = {
    EVENT_STORE_URL: `esdb://${host}:${proxies['event-store'].port}?tls=false`,
    READ_MODEL_URL: `redis://${host}:${proxies.redis.port}`,
    BUS_URL: `kafka://${host}:${kafkaProxyPort}?partitions=2`,
  }
  return { dataDir: join(folder, 'data'), settings, proxies }
}

type Use = {
  /** Answers that took too long, and sends that were answered while health was green for long and did not arrive. */
  readonly faults: string[]
  longestMs: number
  stop(): Promise<void>
}

/** Sends and reads all the time. */
const usePortal = (options: {
  readonly address: string
  readonly adminToken: string
  readonly learner: { readonly userId: string; readonly token: string }
  readonly sent: string[]
}): Use => {
  const { address, adminToken, learner, sent } = options
  const use: Use = { faults: [], longestMs: 0, stop: async () => void (await stop()) }
  let isStopped = false
  const measure = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    const startMs = performance.now()
    const answer = await call().then(
      () => 'ok',
      (error: unknown) => String(error).slice(0, 200),
    )
    const ms = performance.now() - startMs
    use.longestMs = Math.max(use.longestMs, ms)
    if (ms > maxAnswerMs) use.faults.push(`${what} took ${Math.round(ms)} ms: ${answer}`)
  }
  const send = async (): Promise<void> => {
    const body = { userIds: [learner.userId], title: 'Silence', message: 'Text', type: 'General' }
    sent.push((await callRoute(address, sendNotification, { token: adminToken, body })).notificationId)
  }
  const read = () => callRoute(address, listNotifications, { token: learner.token, query: { page: 1, limit: 10 } })
  const calls = new Set<Promise<void>>()
  const repeat = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) {
      const measured = measure(what, call).finally(() => calls.delete(measured))
      calls.add(measured)
      await pause(everyMs)
    }
  }
  const running = [repeat('a send', send), repeat('a read', read)]
  const stop = async (): Promise<void> => {
    isStopped = true
    await Promise.all(running)
    await Promise.all(calls)
  }
  return use
}

const isHealthy = async (address: string): Promise<boolean> => {
  const response = await fetch(`${address}/health`, { signal: AbortSignal.timeout(2_500) }).catch(() => undefined)
  if (response === undefined) return false
  const text = await response.text()
  return text.includes('"status":"ok"')
}

/** The longest time for which health was green while an answered send did not arrive. */
const watchDeafness = (address: string, inbox: InboxClient, sent: readonly string[]) => {
  let deafSinceMs: number | undefined
  let longestMs = 0
  let isStopped = false
  const watch = async (): Promise<void> => {
    while (!isStopped) {
      const waiting = sent.at(-1)
      const isGreen = await isHealthy(address)
      await pause(everyMs)
      const hasArrived = waiting === undefined || inbox.arrivals().has(waiting)
      if (!isGreen || hasArrived) deafSinceMs = undefined
      else deafSinceMs ??= performance.now()
      if (deafSinceMs !== undefined) longestMs = Math.max(longestMs, performance.now() - deafSinceMs)
    }
  }
  const watching = watch()
  return {
    stop: async (): Promise<number> => {
      isStopped = true
      await watching
      return longestMs
    },
  }
}

it.each(engineNames)(
  'every connection to the %s may fall silent alone: answers come in time, and health tells',
  { timeout: 900_000 },
  async (engine) => {
    const { dataDir, settings, proxies } = await startEngines()
    const password = await seedLearners(dataDir, 1, settings)
    const portal = await startPortal({ dataDir, settings: { ...settings, SEEN_GRACE_MS: '200' } })
    onTestFinished(async () => void (await portal.kill()))
    const { address } = portal
    const learner = await logIn(address, seededEmail(1), password)
    const { token: adminToken } = await logIn(address, admin.email, admin.password)
    const inbox = await connectInbox({ address, token: learner.token })
    onTestFinished(() => inbox.close())
    const found: string[] = []
    const proxy = proxies[engine]
    const sent: string[] = []
    await eventually('the portal is healthy', () => isHealthy(address))

    for (let index = 0; ; index++) {
      const use = usePortal({ address, adminToken, learner, sent })
      await pause(500)
      if (!proxy.hangOne(index)) {
        await use.stop()
        break
      }
      const deafness = watchDeafness(address, inbox, sent)
      await pause(silentMs)
      proxy.serve()
      const servedMs = performance.now()
      await eventually('health is green again', () => isHealthy(address), 60_000).catch(async (error: unknown) => {
        const health = await fetch(`${address}/health`).then((response) => response.text())
        throw new Error(`${engine} ${index}: ${health}\n${portal.output()}`, { cause: error })
      })
      const greenMs = performance.now() - servedMs
      await use.stop()
      const deafMs = await deafness.stop()
      const figures = `longest ${Math.round(use.longestMs)} ms, deaf and green ${Math.round(deafMs)} ms, green after ${Math.round(greenMs)} ms`
      process.stdout.write(`${engine} ${index}: ${figures}\n`)
      found.push(...use.faults.slice(0, 1).map((fault) => `${engine} ${index}: ${fault}`))
      if (deafMs > maxNoticeMs || greenMs > maxNoticeMs) found.push(`${engine} ${index}: ${figures}`)
    }
    await eventually('all answered sends arrive', () => sent.every((id) => inbox.arrivals().get(id) === 1), 60_000)
    expect(found).toEqual([])
  },
)
