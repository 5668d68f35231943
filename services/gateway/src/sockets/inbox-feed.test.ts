import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  notificationIdOf,
  type SocketFixture,
  startSocketFixture,
  userIdOf,
} from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

let fixture: SocketFixture
beforeEach(async () => {
  fixture = await startSocketFixture()
})
afterEach(() => fixture.stop())

describe('the messages to a socket', () => {
  it('start with the inbox state, without changes', async () => {
    fixture.inbox.arrive(userIdOf(1), notificationIdOf(1), 'The hall is closed.')
    const { messages } = await fixture.connect('1:1')
    expect(messages).toEqual([{ epoch: 'first', seq: 1, unread: 1, changes: [] }])
  })

  it('continue with each change, on every socket of the user and no other', async () => {
    const [first, second, other] = [
      await fixture.connect('1:1'),
      await fixture.connect('1:2'),
      await fixture.connect('2:3'),
    ]
    await fixture.send(1, [1])
    await fixture.send(2, [1, 2])
    await until(() => {
      for (const { messages } of [first, second]) expect(messages.at(-1)?.seq).toBe(2)
      expect(other.messages.at(-1)?.seq).toBe(1)
    })
    for (const { messages } of [first, second]) {
      expect(messages.flatMap((message) => message.changes.map((change) => change.seq))).toEqual([1, 2])
    }
    expect(other.messages.flatMap((message) => message.changes)).toMatchObject([
      { kind: 'arrived', notification: { _id: notificationIdOf(2) } },
    ])
  })

  it('continue from the previous message, however sends and connects interleave', async () => {
    const connecting: ReturnType<SocketFixture['connect']>[] = []
    for (let n = 1; n <= 60; n++) {
      if (n % 6 === 0) connecting.push(fixture.connect(`1:${n}`))
      await fixture.send(n, [1])
      if (n % 4 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    const connected = await Promise.all(connecting)
    await until(() => {
      for (const { messages } of connected) expect(messages.at(-1)?.seq).toBe(60)
    })
    for (const { messages } of connected) {
      let last = messages[0]?.seq ?? Number.NaN
      for (const { seq, changes } of messages.slice(1)) {
        expect(changes.map((change) => change.seq)).toEqual(Array.from({ length: seq - last }, (_, n) => last + n + 1))
        last = seq
      }
    }
  })

  it('need one read for a burst and for all sockets of a user', async () => {
    const { messages } = await fixture.connect('1:1')
    await fixture.connect('1:2')
    const readsBefore = fixture.inbox.reads
    fixture.inboxProgress.hold()
    for (let n = 1; n <= 20; n++) await fixture.send(n, [1])
    fixture.inboxProgress.release()
    await until(() => expect(messages.at(-1)?.seq).toBe(20))
    expect(messages).toHaveLength(2)
    expect(fixture.inbox.reads - readsBefore).toBeLessThanOrEqual(2)
  })

  it('wait until the projection has applied the change', async () => {
    const { messages } = await fixture.connect('1:1')
    fixture.inboxProgress.hold()
    await fixture.send(1, [1])
    const late = fixture.open('1:2')
    const lateMessages: unknown[] = []
    late.on('inbox:changed', (message) => lateMessages.push(message))
    await until(() => expect(fixture.connections.sockets).toBe(2))
    expect(messages).toHaveLength(1)
    expect(lateMessages).toEqual([])
    fixture.inboxProgress.release()
    await until(() => {
      expect(messages).toHaveLength(2)
      expect(lateMessages).toEqual([{ epoch: 'first', seq: 1, unread: 1, changes: [] }])
    })
  })

  it('contain no changes if there are too many, so that clients resume', async () => {
    const { client, messages } = await fixture.connect('1:1')
    fixture.inboxProgress.hold()
    for (let n = 1; n <= 101; n++) await fixture.send(n, [1])
    fixture.inboxProgress.release()
    await until(() => expect(messages.at(-1)).toEqual({ epoch: 'first', seq: 101, unread: 101, changes: [] }))
    expect(await client.emitWithAck('inbox:resume', { since: 0 })).toMatchObject({ reset: true, seq: 101, unread: 101 })
    const resumed = await client.emitWithAck('inbox:resume', { since: 98 })
    expect(resumed).toMatchObject({ seq: 101, changes: [{ seq: 99 }, { seq: 100 }, { seq: 101 }] })
  })

  it('sent before a resume response are included in it, even if they overtook the read', async () => {
    const { client, messages } = await fixture.connect('1:1')
    await fixture.send(1, [1])
    await until(() => expect(messages.at(-1)?.seq).toBe(1))
    const release = fixture.inbox.holdNextRead()
    const readsBefore = fixture.inbox.reads
    const answer = client.emitWithAck('inbox:resume', { since: 0 })
    await until(() => expect(fixture.inbox.reads).toBe(readsBefore + 1))
    await fixture.send(2, [1])
    await until(() => expect(messages.at(-1)?.seq).toBe(2))
    release()
    expect(await answer).toMatchObject({ seq: 2, changes: [{ seq: 1 }, { seq: 2 }] })
  })
})
