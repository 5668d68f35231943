import { afterEach, describe, expect, it, vi } from 'vitest'
import { type SocketFixture, startSocketFixture } from '@portal/gateway/testing/sockets/socket-fixture'

let fixture: SocketFixture
afterEach(() => fixture.stop())

const waitMs = 5_000

describe('an inbox change without a message to this gateway', () => {
  it("reaches the tabs while the projection is behind the gateway's start, and once it has caught up", async () => {
    fixture = await startSocketFixture({ isProjectionBehind: true })
    const { messages } = await fixture.connect('1:1')
    fixture.arriveWithoutMessage(1, 1)
    await vi.waitFor(() => expect(messages.at(-1)).toMatchObject({ seq: 1, changes: [{ seq: 1 }] }), waitMs)
    fixture.arriveWithoutMessage(2, 1)
    fixture.setBehind(false)
    await vi.waitFor(() => expect(messages.at(-1)).toMatchObject({ seq: 2, changes: [{ seq: 2 }] }), waitMs)
    expect(messages).toHaveLength(3)
  })

  it('reaches the tabs after the bus has lost messages', async () => {
    fixture = await startSocketFixture()
    const { messages } = await fixture.connect('1:1')
    await fixture.send(1, [1])
    await vi.waitFor(() => expect(messages.at(-1)?.seq).toBe(1), { timeout: 20_000 })
    fixture.arriveWithoutMessage(2, 1)
    fixture.loseMessages()
    await vi.waitFor(() => expect(messages.at(-1)).toMatchObject({ seq: 2, changes: [{ seq: 2 }] }), waitMs)
    // The projection may have been behind the gap as well.
    fixture.arriveWithoutMessage(3, 1)
    await vi.waitFor(() => expect(messages.at(-1)).toMatchObject({ seq: 3, changes: [{ seq: 3 }] }), waitMs)
  })

  it('needs no reads of inboxes whose buckets have not moved', async () => {
    fixture = await startSocketFixture({ isProjectionBehind: true })
    await fixture.connect('1:1')
    await fixture.connect('2:2')
    fixture.arriveWithoutMessage(1, 1)
    await vi.waitFor(() => expect(fixture.inbox.reads).toBe(3), waitMs)
    fixture.arriveWithoutMessage(2, 1)
    await vi.waitFor(() => expect(fixture.inbox.reads).toBe(4), waitMs)
  })
})
