import { afterEach, describe, expect, it } from 'vitest'
import { connectNonReading } from '@portal/gateway/testing/sockets/non-reading-client'
import {
  disconnected,
  nextMessage,
  notificationIdOf,
  rejectionOf,
  sessionIdOf,
  type SocketFixture,
  startSocketFixture,
  userIdOf,
} from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

let fixture: SocketFixture
const start = async (...options: Parameters<typeof startSocketFixture>) => {
  fixture = await startSocketFixture(...options)
  return fixture
}
afterEach(() => fixture.stop())

const cookie = (token: string, origin?: string) => ({
  extraHeaders: { cookie: `theme=dark; portal_session=${token}`, ...(origin === undefined ? {} : { origin }) },
})

describe('the handshake', () => {
  it('rejects a missing and an invalid session', async () => {
    await start()
    expect(await rejectionOf(fixture.open(undefined))).toBe('unauthenticated')
    expect(await rejectionOf(fixture.open('nobody:1'))).toBe('unauthenticated')
    expect(await rejectionOf(fixture.open('x'.repeat(5_000)))).toBe('unauthenticated')
    expect(fixture.connections.sockets).toBe(0)
  })

  it('rejects a session that cannot be checked, and accepts it on the same socket later', async () => {
    await start()
    fixture.failChecks(true)
    const client = fixture.open('1:1')
    expect(await rejectionOf(client)).toBe('unavailable')
    expect(client.active).toBe(false)
    fixture.failChecks(false)
    client.connect()
    expect(await nextMessage(client, 'inbox:changed')).toMatchObject({ seq: 0 })
  })

  it('accepts the session cookie only from the portal’s own pages', async () => {
    await start()
    expect(await rejectionOf(fixture.open(undefined, cookie('1:1', 'https://elsewhere.example')))).toBe(
      'websocket error',
    )
    expect(await rejectionOf(fixture.open(undefined, cookie('1:1')))).toBe('unauthenticated')
    await nextMessage(fixture.open(undefined, cookie('1:1', fixture.address)), 'inbox:changed')
    expect(fixture.connections.ofUser(userIdOf(1))?.sockets.size).toBe(1)
  })

  it('rejects sockets over the limit per user, until one closes', async () => {
    await start({ limits: { maxSocketsPerUser: 2 } })
    const { client } = await fixture.connect('1:1')
    await fixture.connect('1:1')
    expect(await rejectionOf(fixture.open('1:1'))).toBe('too-many-connections')
    await fixture.connect('2:2')
    client.close()
    await until(() => expect(fixture.connections.sockets).toBe(2))
    await fixture.connect('1:1')
  })

  it("rejects connections over the server's limit temporarily, and clients reconnect by themselves", async () => {
    await start({ limits: { maxConnections: 1 } })
    const { client } = await fixture.connect('1:1')
    const waiting = fixture.open('2:2')
    await rejectionOf(waiting)
    client.close()
    expect(await nextMessage(waiting, 'inbox:changed')).toMatchObject({ seq: 0 })
  })
})

describe('a session that ends', () => {
  it('closes its own sockets with the reason, and leaves the user’s other sessions open', async () => {
    await start()
    const [ending, staying] = [await fixture.connect('1:1'), await fixture.connect('1:2')]
    const received = nextMessage(ending.client, 'session:ended')
    const closed = disconnected(ending.client)
    await fixture.publish('auth', 'b00', 'SessionEnded', {
      sessionId: sessionIdOf(1),
      userId: userIdOf(1),
      reason: 'logged-out',
    })
    expect(await received).toEqual({ reason: 'logged-out' })
    expect(await closed).toBe('io server disconnect')
    expect(staying.client.connected).toBe(true)
    await until(() => expect(fixture.connections.sockets).toBe(1))
  })

  it('closes a socket whose handshake was in progress', async () => {
    await start()
    await fixture.publish('auth', 'b00', 'SessionEnded', {
      sessionId: sessionIdOf(1),
      userId: userIdOf(1),
      reason: 'password-changed',
    })
    expect(await nextMessage(fixture.open('1:1'), 'session:ended')).toEqual({ reason: 'password-changed' })
    expect(fixture.connections.sockets).toBe(0)
  })

  it('ends when its user is erased', async () => {
    await start()
    const clients = [await fixture.connect('1:1'), await fixture.connect('1:2')]
    const received = clients.map(({ client }) => nextMessage(client, 'session:ended'))
    await fixture.publish('auth', 'b00', 'UserErased', { userId: userIdOf(1), emailIndex: 'x' })
    expect(await Promise.all(received)).toEqual([{ reason: 'erased' }, { reason: 'erased' }])
    await until(() => expect(fixture.connections.users).toBe(0))
  })

  it('ends when it expires', async () => {
    await start()
    fixture.setExpiry('2026-11-21T10:05:00.000Z')
    const { client } = await fixture.connect('1:1')
    const received = nextMessage(client, 'session:ended')
    fixture.setNow('2026-11-21T10:05:00.000Z')
    expect(await received).toEqual({ reason: 'expired' })
  })

  it('ends within minutes when its token becomes invalid without an event', async () => {
    await start()
    const [withdrawn, other] = [await fixture.connect('1:1'), await fixture.connect('2:2')]
    const received = nextMessage(withdrawn.client, 'session:ended')
    fixture.withdraw('1:1')
    fixture.setNow('2026-11-21T10:05:01.000Z')
    expect(await received).toEqual({ reason: 'expired' })
    expect(other.client.connected).toBe(true)
  })
})

describe('a malformed message', () => {
  it('is ignored and counted', async () => {
    await start()
    const { client } = await fixture.connect('1:1')
    const hostile = client.io.engine
    for (const message of [
      '2["inbox:seen",{"seq":-1}]',
      '2["inbox:seen",{"seq":"1"}]',
      '2["inbox:seen"]',
      '2["inbox:resume",{"since":0}]',
      '2["tab:visibility",{"visible":"no"}]',
      '2["no-such-message",{}]',
    ])
      hostile.write(message)
    await until(() => expect(fixture.sockets.stats().malformed).toBe(6))
    expect(client.connected).toBe(true)
    expect(fixture.seen).toEqual([])
  })

  it('ends the connection if it repeats', async () => {
    await start({ limits: { malformedPackets: 3 } })
    const { client } = await fixture.connect('1:1')
    const closed = disconnected(client)
    for (let n = 0; n < 200; n++) client.emit('inbox:seen', { seq: -1 })
    expect(await closed).toBe('transport close')
    expect(fixture.sockets.stats()).toMatchObject({ malformed: 4, floods: 1 })
    expect(fixture.logged.filter((line) => line.includes('socket disconnected'))).toHaveLength(1)
    expect(fixture.securityLog.events).toEqual([
      expect.objectContaining({ event: 'socket-closed', code: 'malformed messages', userId: userIdOf(1) }),
    ])
  })

  it('closes the connection if it is too large', async () => {
    await start({ limits: { packetBytes: 1_024 } })
    const { client } = await fixture.connect('1:1')
    const closed = disconnected(client)
    client.io.engine.write(`2["inbox:seen",{"seq":1,"x":"${'x'.repeat(2_000)}"}]`)
    expect(await closed).toBe('transport close')
  })

  it('counts towards the flood limit, a resume more than others', async () => {
    await start({ limits: { packetCostPerWindow: 100 } })
    const [flooding, polite] = [await fixture.connect('1:1'), await fixture.connect('2:2')]
    const closed = disconnected(flooding.client)
    for (let n = 0; n < 6; n++) flooding.client.emit('inbox:resume', { since: 0 }, () => undefined)
    expect(await closed).toBe('transport close')
    expect(fixture.sockets.stats().floods).toBe(1)
    expect(polite.client.connected).toBe(true)
    // The client library reconnects after a pause.
    expect(await nextMessage(flooding.client, 'inbox:changed')).toMatchObject({ seq: 0 })
  })
})

describe('a client that does not read', () => {
  it('is disconnected before unsent data piles up', async () => {
    await start({ limits: { pendingBytes: 1024 * 1024 } })
    const listening = await fixture.connect('1:2')
    const deaf = await connectNonReading(fixture.address, '1:1')
    await until(() => expect(fixture.connections.sockets).toBe(2))
    // Messages of half a megabyte, until the buffers of both TCP ends are more than full.
    for (let n = 0; fixture.connections.sockets === 2; n += 90) {
      fixture.inboxProgress.hold()
      for (let i = 1; i <= 90; i++) await fixture.send(n + i, [1], 'x'.repeat(5_000))
      fixture.inboxProgress.release()
      await until(() => expect(listening.messages.at(-1)?.seq).toBe(n + 90))
      if (n > 20_000) throw new Error('it is still connected')
    }
    expect(fixture.sockets.stats().stuck).toBe(1)
    expect(listening.client.connected).toBe(true)
    deaf.destroy()
  }, 30_000)

  it('does not delay shutdown', async () => {
    await start()
    const deaf = await connectNonReading(fixture.address, '1:1')
    await until(() => expect(fixture.connections.sockets).toBe(1))
    await fixture.sockets.stop()
    expect(await fixture.openConnections()).toBe(0)
    deaf.destroy()
  })
})

describe('the progress of campaigns', () => {
  const progressOf = (live: number) => ({
    notificationId: notificationIdOf(1),
    targeted: 2,
    pending: 2 - live,
    live,
    pushed: 0,
    skipped: 0,
    failed: 0,
    cancelled: 0,
    read: 0,
  })
  const settle = () =>
    fixture.publish('notifications', 'b00', 'RecipientsSettled', {
      notificationId: notificationIdOf(1),
      bucket: 'b00',
      outcomes: [{ userId: userIdOf(1), state: 'live' }],
    })

  it('goes to admins only: once per burst, after later changes, and never unchanged', async () => {
    await start()
    const [admin, learner] = [await fixture.connect('1:1:admin'), await fixture.connect('2:2')]
    const received: unknown[] = []
    admin.client.on('campaign:progress', (message) => received.push(message))
    learner.client.on('campaign:progress', () => received.push('to a learner'))
    fixture.campaigns.set(notificationIdOf(1), progressOf(1))
    for (let n = 0; n < 10; n++) await settle()
    await until(() => expect(received).toEqual([progressOf(1)]))
    await settle()
    fixture.campaigns.set(notificationIdOf(1), progressOf(2))
    await settle()
    await until(() => expect(received).toEqual([progressOf(1), progressOf(2)]))
  })

  it('of recent campaigns is sent to an admin who connects', async () => {
    await start()
    fixture.campaigns.set(notificationIdOf(1), progressOf(1))
    await settle()
    expect(await nextMessage(fixture.open('1:1:admin'), 'campaign:progress')).toEqual(progressOf(1))
  })
})

describe('a server that stops', () => {
  it('closes its connections so that clients reconnect', async () => {
    await start()
    const { client } = await fixture.connect('1:1')
    const closed = disconnected(client)
    await fixture.sockets.stop()
    expect(await closed).toBe('transport close')
    expect(client.active).toBe(true)
    expect(await rejectionOf(client)).toBe('websocket error')
  })
})
