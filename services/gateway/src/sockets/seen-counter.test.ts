import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  notificationIdOf,
  type SocketFixture,
  startSocketFixture,
  userIdOf,
} from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

const notificationId = notificationIdOf(1)
/** Longer than any test, so a response did not wait for the timeout. */
const waitMs = 60_000

let fixture: SocketFixture
beforeEach(async () => {
  fixture = await startSocketFixture()
})
afterEach(() => fixture.stop())

const seenBy = (...users: readonly number[]) => fixture.seenCounter.wait(notificationId, users.map(userIdOf), waitMs)

describe('the number of open devices that have seen a campaign', () => {
  it('is 0 at once if no device is connected', async () => {
    await fixture.connect('3:1')
    expect(await seenBy(1, 2)).toBe(0)
  })

  it('is returned when all have reported', async () => {
    const clients = [await fixture.connect('1:1'), await fixture.connect('1:2'), await fixture.connect('2:3')]
    const counted = seenBy(1, 2)
    for (const { client } of clients) client.on('inbox:changed', ({ seq }) => void client.emit('inbox:seen', { seq }))
    await fixture.send(1, [1, 2])
    expect(await counted).toBe(3)
    expect(fixture.seen.map(({ userId }) => userId).toSorted()).toEqual([userIdOf(1), userIdOf(1), userIdOf(2)])
  })

  it('includes what was seen before the request', async () => {
    const { client } = await fixture.connect('1:1')
    client.on('inbox:changed', ({ seq }) => void client.emit('inbox:seen', { seq }))
    await fixture.send(1, [1])
    await until(() => expect(fixture.seen).toHaveLength(1))
    expect(await seenBy(1)).toBe(1)
  })

  it('does not wait for a hidden tab, or one that is hidden or closed meanwhile', async () => {
    const [hidden, hiding, closing, looking] = [
      await fixture.connect('1:1'),
      await fixture.connect('1:2'),
      await fixture.connect('1:3'),
      await fixture.connect('1:4'),
    ]
    hidden.client.emit('tab:visibility', { visible: false })
    hidden.client.emit('inbox:resume', { since: 0 }, () => undefined)
    await until(() => {
      const user = fixture.connections.ofUser(userIdOf(1))
      expect([...(user?.sockets ?? [])].filter((socket) => !socket.data.visible)).toHaveLength(1)
    })
    const counted = seenBy(1)
    await fixture.send(1, [1])
    await until(() => expect(looking.messages).toHaveLength(2))
    hiding.client.emit('tab:visibility', { visible: false })
    closing.client.close()
    looking.client.emit('inbox:seen', { seq: 1 })
    expect(await counted).toBe(1)
  })

  it('is the current count after the timeout', async () => {
    const [fast] = [await fixture.connect('1:1'), await fixture.connect('1:2')]
    fast.client.on('inbox:changed', ({ seq }) => void fast.client.emit('inbox:seen', { seq }))
    await fixture.send(1, [1])
    await until(() => expect(fixture.seen).toHaveLength(1))
    expect(await fixture.seenCounter.wait(notificationId, [userIdOf(1)], 20)).toBe(1)
  })

  it('counts the devices of all users after the timeout, if the question names none', async () => {
    expect(await fixture.seenCounter.wait(notificationId, undefined, waitMs)).toBe(0)
    const clients = [await fixture.connect('1:1'), await fixture.connect('2:2'), await fixture.connect('3:3')]
    for (const { client } of clients.slice(1))
      client.on('inbox:changed', ({ seq }) => void client.emit('inbox:seen', { seq }))
    await fixture.send(1, [1, 2])
    await until(() => expect(fixture.seen).toHaveLength(1))
    expect(await fixture.seenCounter.wait(notificationId, undefined, 20)).toBe(1)
  })

  it('ignores an older notification that was seen', async () => {
    const { client } = await fixture.connect('1:1')
    await fixture.send(7, [1])
    client.emit('inbox:seen', { seq: 1 })
    await until(() => expect(fixture.seen).toHaveLength(1))
    const counted = seenBy(1)
    await fixture.send(1, [1])
    client.emit('inbox:seen', { seq: 2 })
    expect(await counted).toBe(1)
  })

  it('ignores a client that reports more than the inbox has', async () => {
    const { client } = await fixture.connect('1:1')
    client.emit('inbox:seen', { epoch: 'first', seq: Number.MAX_SAFE_INTEGER })
    await client.emitWithAck('inbox:resume', { since: 0 })
    await fixture.send(1, [1])
    expect(await fixture.seenCounter.wait(notificationId, [userIdOf(1)], 20)).toBe(0)
    client.emit('inbox:seen', { epoch: 'first', seq: Number.MAX_SAFE_INTEGER })
    await until(() => expect(fixture.seen).toEqual([{ userId: userIdOf(1), seq: 1, epoch: 'first' }]))
  })

  it('includes a page that was fetched before the message to the room', async () => {
    const { client } = await fixture.connect('1:1')
    fixture.inboxProgress.hold()
    await fixture.send(1, [1])
    client.emit('inbox:seen', { seq: 1 })
    await until(() => expect(fixture.seen).toEqual([{ userId: userIdOf(1), seq: 1, epoch: 'first' }]))
    fixture.inboxProgress.release()
    expect(await seenBy(1)).toBe(1)
  })
})
