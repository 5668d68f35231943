import { inboxItemSchema } from '@portal/contracts/notifications/notification'
import { socketFeatures } from '@portal/contracts/notifications/socket'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type SocketFixture, startSocketFixture } from '@portal/gateway/testing/sockets/socket-fixture'
import { declaredFeatures } from './client-features.ts'
import { until } from '@portal/platform/testing/until'

let fixture: SocketFixture
beforeEach(async () => {
  fixture = await startSocketFixture()
})
afterEach(() => fixture.stop())

/** What clients built before recalls accept. */
const olderState = { epoch: z.string(), seq: z.number(), unread: z.number() }
const olderMessageSchema = z.object({
  ...olderState,
  changes: z.array(
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('arrived'), seq: z.number(), notification: inboxItemSchema }),
      z.object({ kind: z.literal('read'), seq: z.number(), notificationId: z.string(), readAt: z.string() }),
      z.object({ kind: z.literal('all-read'), seq: z.number(), readUpTo: z.number(), readAt: z.string() }),
    ]),
  ),
})
const olderAnswerSchema = z.union([z.object({ reset: z.literal(true), ...olderState }), olderMessageSchema])

describe('a recall', () => {
  it('reaches clients in one message with the lower unread count', async () => {
    const { messages } = await fixture.connect('1:1', socketFeatures)
    const other = await fixture.connect('2:2', socketFeatures)
    await fixture.send(1, [1])
    await until(() => expect(messages.at(-1)).toMatchObject({ seq: 1, unread: 1 }))
    await fixture.recall(1, [1])
    await until(() => expect(messages.at(-1)).toMatchObject({ seq: 2, unread: 0, changes: [{ kind: 'recalled' }] }))
    expect(messages).toHaveLength(3)
    expect(other.messages).toHaveLength(1)
  })

  it('is a message without changes for an older client, which stays in step by a reset', async () => {
    const newer = await fixture.connect('1:1', socketFeatures)
    const older = await fixture.connect('1:2')
    await fixture.send(1, [1])
    await until(() => expect(older.messages.at(-1)?.seq).toBe(1))
    await fixture.recall(1, [1])
    await until(() => expect(older.messages.at(-1)).toEqual({ epoch: 'first', seq: 2, unread: 0, changes: [] }))
    await until(() => expect(newer.messages.at(-1)?.changes).toMatchObject([{ kind: 'recalled', seq: 2 }]))

    const since = { epoch: 'first', since: 1 }
    const answer = await older.client.emitWithAck('inbox:resume', since)
    expect(answer).toEqual({ reset: true, epoch: 'first', seq: 2, unread: 0 })
    expect(await newer.client.emitWithAck('inbox:resume', since)).toMatchObject({ changes: [{ kind: 'recalled' }] })

    await fixture.send(2, [1])
    await until(() => expect(older.messages.at(-1)).toMatchObject({ seq: 3, unread: 1, changes: [{ seq: 3 }] }))
    const resumed = await older.client.emitWithAck('inbox:resume', { epoch: 'first', since: 2 })
    expect(resumed).toMatchObject({ changes: [{ kind: 'arrived', seq: 3 }] })
    for (const message of older.messages) expect(olderMessageSchema.safeParse(message).success).toBe(true)
    for (const given of [answer, resumed]) expect(olderAnswerSchema.safeParse(given).success).toBe(true)
  })

  it('does not hide an arrival in the same message from newer clients', async () => {
    const newer = await fixture.connect('1:1', socketFeatures)
    const older = await fixture.connect('1:2')
    fixture.inboxProgress.hold()
    await fixture.send(1, [1])
    await fixture.recall(1, [1])
    await fixture.send(2, [1])
    fixture.inboxProgress.release()
    await until(() =>
      expect(newer.messages.at(-1)?.changes.map(({ kind }) => kind)).toEqual(['arrived', 'recalled', 'arrived']),
    )
    await until(() => expect(older.messages.at(-1)).toEqual({ epoch: 'first', seq: 3, unread: 1, changes: [] }))
  })
})

describe('a mark as unread', () => {
  it('reaches the tabs of its user only, and an older client without the change', async () => {
    const newer = await fixture.connect('1:1', socketFeatures)
    const older = await fixture.connect('1:2', ['recalled'])
    const other = await fixture.connect('2:2', socketFeatures)
    await fixture.send(1, [1])
    await until(() => expect(older.messages.at(-1)?.seq).toBe(1))
    await fixture.markUnread(1, 1)
    await until(() => expect(newer.messages.at(-1)?.changes).toMatchObject([{ kind: 'unread', seq: 2 }]))
    await until(() => expect(older.messages.at(-1)).toMatchObject({ seq: 2, changes: [] }))
    const answer = await older.client.emitWithAck('inbox:resume', { epoch: 'first', since: 1 })
    expect(answer).toMatchObject({ reset: true, seq: 2 })
    expect(other.messages).toHaveLength(1)
  })
})

describe('the features of a handshake', () => {
  it('are those that are known, from a list of at most twenty names', () => {
    const rows = [
      [{ features: ['recalled'] }, ['recalled']],
      [{ features: ['unread', 'recalled'] }, ['recalled', 'unread']],
      [{ token: 'any', features: ['later', 'recalled'] }, ['recalled']],
      [{ token: 'any' }, []],
      [{ features: [] }, []],
      [{ features: 'recalled' }, []],
      [{ features: ['recalled', 7] }, []],
      [{ features: Array.from({ length: 21 }, () => 'recalled') }, []],
      [undefined, []],
      ['recalled', []],
    ] as const
    expect(rows.map(([auth]) => [auth, declaredFeatures(auth)])).toEqual(rows)
  })
})
