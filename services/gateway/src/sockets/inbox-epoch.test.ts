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

const ada = userIdOf(1)

const arrive = (...notifications: readonly number[]) => {
  for (const n of notifications) fixture.inbox.arrive(ada, notificationIdOf(n), 'The hall is closed.')
}

/** A tab that has received ten notifications in the epoch 'first'. */
const tabAtTen = async () => {
  const tab = await fixture.connect('1:1')
  for (let n = 1; n <= 10; n++) await fixture.send(n, [1])
  await until(() => expect(tab.messages.at(-1)?.seq).toBe(10))
  return tab
}

describe('an inbox that is renumbered while its tabs are open', () => {
  it('is announced at once, with the lower number and without changes', async () => {
    const { messages } = await tabAtTen()
    fixture.inbox.renumber('second', { isNoticed: true })
    await until(() => expect(messages.at(-1)).toEqual({ epoch: 'second', seq: 0, unread: 0, changes: [] }))
  })

  it('is announced with the next message if the change was not noticed', async () => {
    const { messages } = await tabAtTen()
    fixture.inbox.renumber('second', { isNoticed: false })
    arrive(1, 2, 3)
    await fixture.send(21, [1])
    await until(() => expect(messages.at(-1)).toEqual({ epoch: 'second', seq: 4, unread: 4, changes: [] }))
    await fixture.send(22, [1])
    await until(() => expect(messages.at(-1)).toMatchObject({ epoch: 'second', seq: 5, changes: [{ seq: 5 }] }))
  })

  it('responds to a resume from the previous epoch and one from the current epoch, even though more was sent before', async () => {
    const { client } = await tabAtTen()
    fixture.inbox.renumber('second', { isNoticed: false })
    arrive(1, 2, 3)
    const reset = { reset: true, epoch: 'second', seq: 3, unread: 3 }
    expect(await client.emitWithAck('inbox:resume', { epoch: 'first', since: 10 })).toEqual(reset)
    expect(await client.emitWithAck('inbox:resume', { epoch: 'first', since: 2 })).toEqual(reset)
    expect(await client.emitWithAck('inbox:resume', { epoch: 'second', since: 2 })).toMatchObject({
      epoch: 'second',
      seq: 3,
      changes: [{ seq: 3 }],
    })
  })

  it('responds from the new epoch to a read that the new epoch overtook', async () => {
    const { client, messages } = await tabAtTen()
    const release = fixture.inbox.holdNextRead()
    const readsBefore = fixture.inbox.reads
    const answer = client.emitWithAck('inbox:resume', { epoch: 'first', since: 9 })
    await until(() => expect(fixture.inbox.reads).toBe(readsBefore + 1))
    fixture.inbox.renumber('second', { isNoticed: true })
    await until(() => expect(messages.at(-1)?.epoch).toBe('second'))
    release()
    expect(await answer).toMatchObject({ reset: true, epoch: 'second', seq: 0 })
  })

  it('sends a new tab what every other tab received', async () => {
    await tabAtTen()
    fixture.inbox.renumber('second', { isNoticed: false })
    arrive(1, 2, 3)
    const second = await fixture.connect('1:2')
    expect(second.messages).toEqual([{ epoch: 'second', seq: 3, unread: 3, changes: [] }])
    await fixture.send(31, [1])
    await until(() => expect(second.messages.at(-1)).toMatchObject({ seq: 4, changes: [{ seq: 4 }] }))
  })

  it('gets its next changes even if the log has lost a message that the tabs waited for', async () => {
    const { messages } = await tabAtTen()
    fixture.inboxProgress.lose('000000000011')
    await fixture.send(11, [1])
    fixture.inbox.renumber('second', { isNoticed: true })
    await until(() => expect(messages.at(-1)?.epoch).toBe('second'))
    await fixture.send(12, [1])
    await until(() => expect(messages.at(-1)).toMatchObject({ epoch: 'second', seq: 1 }))
  })

  it('does not count reports of the old epoch as seen', async () => {
    const { client, messages } = await tabAtTen()
    client.emit('inbox:seen', { epoch: 'first', seq: 10 })
    await until(() => expect(fixture.seen).toHaveLength(1))
    fixture.inbox.renumber('second', { isNoticed: true })
    await until(() => expect(messages.at(-1)?.epoch).toBe('second'))

    await fixture.send(21, [1])
    await until(() => expect(messages.at(-1)?.seq).toBe(1))
    expect(await fixture.seenCounter.wait(notificationIdOf(21), [ada], 20)).toBe(0)
    client.emit('inbox:seen', { epoch: 'first', seq: 11 })
    client.emit('inbox:seen', { epoch: 'second', seq: 1 })
    await until(() => expect(fixture.seen.at(-1)).toEqual({ userId: ada, seq: 1, epoch: 'second' }))
    expect(fixture.seen).toHaveLength(2)
    expect(await fixture.seenCounter.wait(notificationIdOf(21), [ada], 20)).toBe(1)
  })

  it('ignores a client without an epoch that reports more than the inbox has', async () => {
    const { client, messages } = await tabAtTen()
    fixture.inbox.renumber('second', { isNoticed: true })
    await until(() => expect(messages.at(-1)?.epoch).toBe('second'))
    await fixture.send(21, [1])
    await until(() => expect(messages.at(-1)?.seq).toBe(1))
    client.emit('inbox:seen', { seq: 10 })
    await client.emitWithAck('inbox:resume', { since: 0 })
    expect(fixture.seen).toEqual([])
    client.emit('inbox:seen', { seq: 1 })
    await until(() => expect(fixture.seen).toEqual([{ userId: ada, seq: 1, epoch: 'second' }]))
  })
})

describe('an inbox that is temporarily older in the same epoch', () => {
  it('resets no tab, and sends no change twice', async () => {
    const { client, messages } = await tabAtTen()
    fixture.inbox.revert(ada, 4)
    expect(await client.emitWithAck('inbox:resume', { epoch: 'first', since: 10 })).toEqual({
      epoch: 'first',
      seq: 4,
      unread: 4,
      changes: [],
    })
    const before = messages.length
    arrive(5, 6, 7, 8, 9, 10)
    await fixture.send(11, [1])
    await until(() => expect(messages.at(-1)).toMatchObject({ seq: 11, changes: [{ seq: 11 }] }))
    expect(messages).toHaveLength(before + 1)
  })

  it('admits a new tab once it has caught up with the others', async () => {
    await tabAtTen()
    fixture.inbox.revert(ada, 4)
    const late = fixture.open('1:2')
    const messages: unknown[] = []
    late.on('inbox:changed', (message) => messages.push(message))
    await until(() => expect(fixture.connections.ofUser(ada)?.pendingConnections.size).toBe(1))
    arrive(5, 6, 7, 8, 9, 10)
    await until(() => expect(messages).toEqual([{ epoch: 'first', seq: 10, unread: 10, changes: [] }]))
  })
})
