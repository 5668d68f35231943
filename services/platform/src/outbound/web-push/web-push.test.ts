import { Agent } from 'node:https'
import { connect, type TLSSocket } from 'node:tls'
import { pushContract } from '@portal/platform/testing/outbound/push-contract'
import { pushServiceCertificate } from '@portal/platform/testing/outbound/web-push/certificate'
import { type PushService, startPushService } from '@portal/platform/testing/outbound/web-push/push-service'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pushKeysFrom } from './push-keys.ts'
import { webPush } from './web-push.ts'

const keys = pushKeysFrom(Buffer.alloc(32, 1))
const message = {
  notificationId: '0199a7c0-0000-7000-8000-000000000001',
  title: 'Exam',
  body: 'On Monday',
  url: '/notification/0199a7c0-0000-7000-8000-000000000001',
  type: 'Exam',
}

type Options = Parameters<typeof webPush>[0]

const senderWith = (changes: Partial<Options> = {}) =>
  webPush({
    keys,
    subject: 'https://portal.example',
    ttlSeconds: 86_400,
    privateHosts: new Set(['push.test']),
    now: () => new Date(),
    logger: pino({ level: 'silent' }),
    timeoutMs: 5_000,
    agent: new Agent({ keepAlive: true, ca: pushServiceCertificate }),
    // The name of the service exists in no DNS.
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    ...changes,
  })

pushContract('Web Push', async () => {
  const service = await startPushService()
  const sender = senderWith()
  return {
    sender,
    tokens: (count) => Array.from({ length: count }, () => service.subscribe(keys.publicKey)),
    delivered: async () =>
      service.received.map(({ token, data }) => ({ token, title: data['title'] ?? '', url: data['url'] ?? '' })),
    dispose: async () => {
      await sender.close()
      await service.stop()
    },
  }
})

let service: PushService
let sender: ReturnType<typeof webPush>
let token: string
let elapsedMs: number
const open = (changes: Partial<Options> = {}) => senderWith({ nowMs: () => elapsedMs, ...changes })
beforeEach(async () => {
  elapsedMs = 0
  service = await startPushService()
  sender = open()
  token = service.subscribe(keys.publicKey)
})
afterEach(async () => {
  await sender.close()
  await service.stop()
})

/** Leads all connections to the service of the test, and remembers where they would have gone. */
class DetourAgent extends Agent {
  readonly targets: string[] = []
  readonly #port: number

  constructor(port: number) {
    super()
    this.#port = port
  }

  override createConnection(options: Parameters<Agent['createConnection']>[0]): TLSSocket {
    const { lookup } = options
    lookup?.('', { all: true }, (_error, addresses) => {
      for (const { address } of typeof addresses === 'string' ? [] : addresses) this.targets.push(address)
    })
    return connect({ host: '127.0.0.1', port: this.#port, servername: 'push.test', ca: pushServiceCertificate })
  }
}

const push = async (to = token, by = sender) => (await by.send([to], message))[0]

describe('a Web Push', () => {
  it('holds what the worker gets from FCM, under its id, as long as the portal pushes', async () => {
    await push()
    expect(service.received).toEqual([
      {
        token,
        data: { ...message, icon: '/icons/icon-192.png' },
        headers: {
          ttl: '86400',
          urgency: 'high',
          topic: '0199a7c0000070008000000000000001',
          'content-encoding': 'aes128gcm',
        },
        bodyBytes: expect.any(Number),
        subject: 'https://portal.example',
      },
    ])
  })
  it('waits on a sleeping phone unless its type is urgent', async () => {
    for (const type of ['General', 'New Course Announcement', 'Assignment'])
      await sender.send([token], { ...message, type })
    expect(service.received.map(({ headers }) => headers['urgency'])).toEqual(['normal', 'normal', 'high'])
  })
  it('fills at most 4,096 bytes, and is cut between graphemes', async () => {
    await sender.send([token], { ...message, title: '"'.repeat(200), body: '\u{1F9D1}\u200D\u{1F393}'.repeat(2_000) })
    const [received] = service.received
    expect(received?.bodyBytes).toBeGreaterThan(4_080)
    expect(received?.bodyBytes).toBeLessThanOrEqual(4_096)
    expect(received?.data['body']).toMatch(/^(?:\u{1F9D1}\u200D\u{1F393})+…$/u)
  })
})

describe('the answer of a push service', () => {
  const answers = (status: number, headers: Record<string, string> = {}) => {
    service.answer = () => ({ status, headers })
  }

  it.each([404, 410])('%i removes the subscription', async (status) => {
    answers(status)
    expect(await push()).toEqual({ kind: 'unregistered' })
  })
  it('413 shortens the text and tries once more', async () => {
    const long = { ...message, body: 'long '.repeat(2_000) }
    service.answer = () => ({ status: service.received.length === 1 ? 413 : 201 })
    expect(await sender.send([token], long)).toEqual([{ kind: 'accepted' }])
    answers(413)
    expect(await sender.send([token], long)).toEqual([{ kind: 'failed', reason: 'payload-size-limit-exceeded' }])
    const sizes = service.received.map(({ bodyBytes }) => bodyBytes > 2_200)
    expect(sizes).toEqual([true, false, true, false])
  })
  it.each([
    [429, 'message-rate-exceeded'],
    [503, 'server-unavailable'],
  ])('%i is obeyed as long as it asks, up to a quarter of an hour', async (status, reason) => {
    const outcome = { kind: 'unavailable', reason, isOfToken: true }
    answers(status)
    expect(await push()).toEqual(outcome)
    answers(status, { 'retry-after': '7' })
    expect(await push()).toEqual({ ...outcome, retryAfterMs: 7_000 })
    answers(status, { 'retry-after': '86400' })
    expect(await push()).toEqual({ ...outcome, retryAfterMs: 900_000 })
  })
  it.each([
    [400, 'invalid-argument'],
    [301, 'unknown-error'],
    [307, 'unknown-error'],
  ])('%i fails the push, and no redirect is followed', async (status, reason) => {
    answers(status, { location: `${service.origin}/elsewhere` })
    expect(await push()).toEqual({ kind: 'failed', reason })
    expect(service.requests).toBe(1)
  })
  it('is awaited for a limited time, and its absence delays no other service', async () => {
    const hasty = open({ timeoutMs: 300, privateHosts: new Set(['push.test', 'localhost']) })
    const other = service.subscribe(keys.publicKey, `https://localhost:${service.port}`)
    service.answer = (to) => (to === token ? 'silence' : { status: 201 })
    const late = { kind: 'unavailable', reason: 'no answer in time', isOfToken: true }
    for (let n = 0; n < 3; n++) expect(await push(token, hasty)).toEqual(late)
    expect(await push(token, hasty)).toEqual({ ...late, retryAfterMs: 1_000 })
    expect(service.requests).toBe(3)
    expect(await push(other, hasty)).toEqual({ kind: 'accepted' })
    service.answer = () => ({ status: 201 })
    elapsedMs += 1_000
    expect(await push(token, hasty)).toEqual({ kind: 'accepted' })
    await hasty.close()
  })
  it('is missing if the service is down or has another certificate', async () => {
    const outcome = { kind: 'unavailable', reason: 'network-error', isOfToken: true }
    expect(await push(token, open({ agent: new Agent() }))).toEqual(outcome)
    await service.stop()
    expect(await push()).toEqual(outcome)
    service = await startPushService()
  })
})

describe('an endpoint', () => {
  it('that is not public gets no request', async () => {
    const refused = { kind: 'failed', reason: 'push service not public' }
    const local = service.subscribe(keys.publicKey, `https://127.0.0.1:${service.port}`)
    const strict = open({ privateHosts: new Set() })
    expect(await push(token, strict)).toEqual(refused)
    expect(await push(local, strict)).toEqual(refused)
    expect(service.requests).toBe(0)
    await strict.close()
  })
  it('is resolved for each push, which goes to the address that was checked', async () => {
    const agent = new DetourAgent(service.port)
    const addresses = ['8.8.8.8', '10.0.0.1', '2a00:1450::1']
    const resolve = async () => [{ address: addresses.shift() ?? '', family: 4 }]
    const strict = open({ privateHosts: new Set(), agent, resolve })
    const outcomes = [await push(token, strict), await push(token, strict), await push(token, strict)]
    expect(outcomes.map((outcome) => outcome?.kind)).toEqual(['accepted', 'failed', 'accepted'])
    expect(agent.targets).toEqual(['8.8.8.8', '2a00:1450::1'])
    await strict.close()
  })
  it('whose name does not resolve is tried again', async () => {
    const lost = open({ resolve: () => Promise.reject(Object.assign(new Error('lost'), { code: 'ENOTFOUND' })) })
    expect(await push(token, lost)).toMatchObject({ kind: 'unavailable', reason: 'network-error' })
  })
})

describe('the health', () => {
  it.each([401, 403])('is red while a service answers %i, with the reason', async (status) => {
    service.answer = () => ({ status })
    await sender.health.check()
    expect(await push()).toEqual({ kind: 'failed', reason: 'push key refused' })
    await expect(sender.health.check()).rejects.toThrow(`push.test refuses the key of this portal (${status})`)
    service.answer = () => ({ status: 201 })
    await push()
    await sender.health.check()
  })
  it('is red after another master key', async () => {
    const restored = open({ keys: pushKeysFrom(Buffer.alloc(32, 2)) })
    await push(token, restored)
    await expect(restored.health.check()).rejects.toThrow('refuses the key of this portal (403)')
    elapsedMs += 24 * 3_600_000 + 1
    await restored.health.check()
  })
  it('does not follow ten subscriptions of another key, if the service has accepted that of the portal', async () => {
    await push()
    const refusals = async (count: number) => {
      const others = Array.from({ length: count }, () => service.subscribe(`B${'A'.repeat(86)}`))
      expect(await sender.send(others, message)).toEqual(
        others.map(() => ({ kind: 'failed', reason: 'push key refused' })),
      )
    }
    await refusals(10)
    await sender.health.check()
    await push()
    await refusals(10)
    await sender.health.check()
    await refusals(1)
    await expect(sender.health.check()).rejects.toThrow('push.test refuses')
  })
  it('does not follow a service that any user may run', async () => {
    service.answer = () => ({ status: 403 })
    const agent = new DetourAgent(service.port)
    const resolve = async () => [{ address: '8.8.8.8', family: 4 }]
    const strict = open({ privateHosts: new Set(), agent, resolve })
    expect(await push(token, strict)).toEqual({ kind: 'failed', reason: 'push key refused' })
    await strict.health.check()
  })
})
