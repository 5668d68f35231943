import { afterEach, describe, expect, it } from 'vitest'
import { type SocketFixture, startSocketFixture } from '@portal/gateway/testing/sockets/socket-fixture'
import { until } from '@portal/platform/testing/until'

let fixture: SocketFixture
afterEach(() => fixture.stop())

describe('an inbox change without a message to this gateway', () => {
  it("reaches the tabs while the projection is behind the gateway's start, and once it has caught up", async () => {
    fixture = await startSocketFixture({ isProjectionBehind: true })
    const { messages } = await fixture.connect('1:1')
    fixture.arriveWithoutMessage(1, 1)
    await until(() => expect(messages.at(-1)).toMatchObject({ seq: 1, changes: [{ seq: 1 }] }))
    fixture.arriveWithoutMessage(2, 1)
    fixture.setBehind(false)
    await until(() => expect(messages.at(-1)).toMatchObject({ seq: 2, changes: [{ seq: 2 }] }))
    expect(messages).toHaveLength(3)
  })

  it('reaches the tabs after the bus has lost messages', async () => {
    fixture = await startSocketFixture()
    const { messages } = await fixture.connect('1:1')
    await fixture.send(1, [1])
    await until(() => expect(messages.at(-1)?.seq).toBe(1))
    fixture.arriveWithoutMessage(2, 1)
    fixture.loseMessages()
    await until(() => expect(messages.at(-1)).toMatchObject({ seq: 2, changes: [{ seq: 2 }] }))
    // The projection may have been behind the gap as well.
    fixture.arriveWithoutMessage(3, 1)
    await until(() => expect(messages.at(-1)).toMatchObject({ seq: 3, changes: [{ seq: 3 }] }))
  })

  it('needs no reads of inboxes whose buckets have not moved', async () => {
    fixture = await startSocketFixture({ isProjectionBehind: true })
    await fixture.connect('1:1')
    await fixture.connect('2:2')
    fixture.arriveWithoutMessage(1, 1)
    await until(() => expect(fixture.inbox.reads).toBe(3))
    fixture.arriveWithoutMessage(2, 1)
    await until(() => expect(fixture.inbox.reads).toBe(4))
  })
})
