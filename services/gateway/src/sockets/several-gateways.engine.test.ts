import { randomUUID } from 'node:crypto'
import { peerSubjects } from '@portal/contracts/notifications/peers'
import type { Peers } from '@portal/platform/peers/port'
import { openPeerAdapter, openPeers } from '@portal/platform/peers/redis-adapter'
import { createPeers } from '@portal/platform/peers/socket-io'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { answerPeerRequests, createSeenReporter } from './peer-reporting.ts'
import { notificationIdOf, startSocketFixture, userIdOf } from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

const waitMs = 20_000

const logger = pino({ level: 'silent' })
/** The epoch of the in-memory inbox. */
const epoch = 'first'

/** A gateway as its process builds it, with ports that the test controls. */
const startGateway = async (url: string) => {
  const adapter = await openPeerAdapter({ url, logger })
  const seenReporter = createSeenReporter((seen) =>
    peers.broadcast(
      peerSubjects.seen,
      seen.map((report) => [...report]),
    ),
  )
  const fixture = await startSocketFixture({ adapter: adapter.adapter, seen: seenReporter.seen })
  const peers: Peers = createPeers({ namespace: fixture.sockets.namespace, logger })
  answerPeerRequests(peers, { seenCounter: fixture.seenCounter, seenReporter })
  return {
    ...fixture,
    stop: async () => {
      seenReporter.stop()
      await peers.close()
      await fixture.stop()
      await fixture.sockets.namespace.adapter.close()
      await adapter.close()
    },
  }
}

let gateways: Awaited<ReturnType<typeof startGateway>>[]
let notifications: Awaited<ReturnType<typeof openPeers>>
let reported: unknown[]

beforeEach(async () => {
  const url = `${inject('redisUrl')}?prefix=gateways-${randomUUID()}`
  gateways = [await startGateway(url), await startGateway(url)]
  notifications = await openPeers({ url, logger })
  reported = []
  notifications.onBroadcast(peerSubjects.seen, (message) => reported.push(message))
  await until(async () => expect(await notifications.request(peerSubjects.seenUpTo, {}, waitMs)).toHaveLength(2))
})
afterEach(async () => {
  await notifications.close()
  await Promise.all(gateways.map((gateway) => gateway.stop()))
})

const both = () => {
  const [one, two] = gateways
  if (!one || !two) throw new Error('no gateways')
  return [one, two] as const
}

const askSeenCount = (notification: number, users: readonly number[], timeoutMs: number) =>
  notifications.request(
    peerSubjects.seenCount,
    { notificationId: notificationIdOf(notification), userIds: users.map(userIdOf), timeoutMs },
    timeoutMs + waitMs,
  )

describe('several gateways', () => {
  it('emit to each socket once, though each gateway consumes every message', async () => {
    const [one, two] = both()
    const [here, there] = [await one.connect('1:1'), await two.connect('1:2')]
    for (const gateway of [one, two]) await gateway.send(1, [1])
    for (const { client, messages } of [here, there]) {
      await until(() => expect(messages.map(({ seq }) => seq)).toEqual([0, 1]))
      // Acknowledged after anything that the other gateway may have sent.
      await client.emitWithAck('inbox:resume', { since: 1 })
      expect(messages.map(({ seq }) => seq)).toEqual([0, 1])
    }
  })

  it('count together how many devices have seen a campaign', async () => {
    const [one, two] = both()
    const clients = [
      (await one.connect('1:1')).client,
      (await two.connect('1:2')).client,
      (await two.connect('2:3')).client,
    ]
    for (const client of clients) client.on('inbox:changed', ({ seq }) => void client.emit('inbox:seen', { seq }))
    for (const gateway of [one, two]) await gateway.send(1, [1, 2])
    const answers = await askSeenCount(1, [1, 2, 3], waitMs)
    expect(answers.toSorted()).toEqual([1, 2])
  })

  it('broadcast what is seen, and return it on request, also for closed sockets', async () => {
    const [one, two] = both()
    const { client } = await one.connect('1:1')
    for (const gateway of [one, two]) await gateway.send(1, [1])
    client.emit('inbox:seen', { seq: 1 })
    await until(() => expect(reported).toEqual([[[userIdOf(1), 1, epoch]]]))
    client.close()
    await until(() => expect(one.connections.sockets).toBe(0))
    const ask = (question: { userIds?: string[] }) => notifications.request(peerSubjects.seenUpTo, question, waitMs)
    const about = await ask({ userIds: [userIdOf(1), userIdOf(2)] })
    expect(about.flat()).toEqual([[userIdOf(1), 1, epoch]])
    expect((await ask({})).flat()).toEqual([[userIdOf(1), 1, epoch]])
    expect((await ask({ userIds: [userIdOf(2)] })).flat()).toEqual([])
  })
})
