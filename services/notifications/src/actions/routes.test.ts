import { randomUUID } from 'node:crypto'
import {
  cancelNotification,
  listNotifications,
  resendNotification,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { type Harness, type HarnessOptions, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { createRecordedPush } from '@portal/notifications/testing/recorded-push'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import type { PushOutcome } from '@portal/platform/outbound/port'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tokensRef } from '../device/projection.ts'

let harness: Harness
let admin: Person
let ada: Person
let ben: Person
let eve: Person

const newPeople = async () => {
  ;({ admin, ada, ben, eve } = await harness.cast())
}

const shareContext = (options: HarnessOptions = {}) => {
  beforeAll(async () => {
    harness = await startHarness(options)
  })
  beforeEach(newPeople)
  afterAll(() => harness.stop())
}

const send = async (...people: readonly Person[]): Promise<NotificationId> => {
  const body = { userIds: people.map(({ userId }) => userId), title: 'Fees', message: 'Are due' }
  return (await harness.call(sendNotification, { as: admin, body })).notificationId
}
const register = async (person: Person, token: string): Promise<void> => {
  await harness.call(savePushToken, { as: person, body: { token } })
  // The response does not wait longer than two seconds for the projection. The grace period may be shorter.
  await harness.untilProjected()
}

const progressOf = async (notificationId: NotificationId): Promise<CampaignProgress> => {
  const [progress] = await harness.context.service.progress.progressOf([notificationId])
  if (!progress) throw new Error('no such campaign')
  return progress
}
const whenSettled = (notificationId: NotificationId) =>
  until(async () => expect(await progressOf(notificationId)).toMatchObject({ pending: 0 }))

const eventsOf = async (notificationId: NotificationId, type: string) => {
  const events = []
  for await (const event of harness.context.eventStore.read(`campaign-${notificationId}`))
    if (event.type === type) events.push(event)
  return events
}

describe('a cancel', () => {
  shareContext()
  const cancel = (id: NotificationId, body: object = {}) =>
    harness.call(cancelNotification, { as: admin, params: { id }, body })

  it('stops what is pending, says what it could not stop, and names the admin', async () => {
    await register(ben, randomUUID())
    const id = await send(ada, ben, eve)
    harness.context.service.seen(ada.userId, 1, harness.context.readModel.epoch)
    await until(async () => expect(await progressOf(id)).toMatchObject({ live: 1 }))
    const answer = await cancel(id, { reason: 'Wrong date' })
    expect(answer).toEqual({
      success: true,
      message: '2 canceled. 1 had already been delivered.',
      cancelled: 2,
      alreadySent: 1,
    })
    expect(await progressOf(id)).toMatchObject({ targeted: 3, pending: 0, live: 1, cancelled: 2 })
    expect(harness.push.calls).toEqual([])
    expect(await eventsOf(id, 'CancelRequested')).toMatchObject([
      { data: { requestedBy: admin.userId, reason: 'Wrong date' }, metadata: { actorId: admin.userId } },
    ])
    expect(harness.context.securityLog.events).toContainEqual(
      expect.objectContaining({ event: 'notification-cancelled', result: 'ok', target: id, userId: admin.userId }),
    )
  })

  it('changes nothing when repeated, and gives the same answer', async () => {
    const id = await send(ada, ben)
    const answer = await cancel(id)
    expect(answer).toMatchObject({ message: '2 canceled. None had been delivered.', cancelled: 2, alreadySent: 0 })
    const end = await harness.context.eventStore.end()
    expect(await cancel(id)).toEqual(answer)
    expect(await harness.context.eventStore.end()).toBe(end)
  })

  it('records nothing if nothing is pending', async () => {
    const id = await send(ada, ben)
    for (const { userId } of [ada, ben]) harness.context.service.seen(userId, 1, harness.context.readModel.epoch)
    await whenSettled(id)
    expect(await cancel(id)).toMatchObject({
      message: 'Nothing was left to cancel. All 2 had already been delivered.',
      cancelled: 0,
      alreadySent: 2,
    })
    expect(await eventsOf(id, 'CancelRequested')).toEqual([])
  })

  it('of an unknown notification is not found', async () => {
    const answer = await harness.inject(cancelNotification, { as: admin, params: { id: notificationIdAt(77) } })
    expect([answer.statusCode, answer.json().message]).toEqual([404, 'Notification not found'])
  })
})

it('a cancel does not claim a push that is in progress', async () => {
  const gate = Promise.withResolvers<void>()
  const recorded = createRecordedPush()
  const push = {
    ...recorded,
    send: async (...call: Parameters<typeof recorded.send>) => {
      const outcomes = recorded.send(...call)
      await gate.promise
      return outcomes
    },
  }
  harness = await startHarness({ push, timings: { graceMs: 20 } })
  try {
    await newPeople()
    await register(ada, 'token-a')
    const id = await send(ada)
    await until(() => expect(recorded.calls).toHaveLength(1))
    const answering = harness.call(cancelNotification, { as: admin, params: { id } })
    await until(async () => expect(await eventsOf(id, 'CancelRequested')).toHaveLength(1))
    await harness.untilProjected()
    gate.resolve()
    expect(await answering).toMatchObject({
      message: 'Nothing was left to cancel. 1 had already been delivered.',
      alreadySent: 1,
    })
    expect(await progressOf(id)).toMatchObject({ pushed: 1, cancelled: 0 })
  } finally {
    gate.resolve()
    await harness.stop()
  }
})

it('a cancel answers after a time what it knows', async () => {
  harness = await startHarness({ delivers: false, timings: { cancelTimeoutMs: 30 } })
  try {
    await newPeople()
    const id = await send(ada, ben)
    expect(await harness.call(cancelNotification, { as: admin, params: { id } })).toMatchObject({
      message: '0 canceled so far. None had been delivered. 2 are still in progress.',
      cancelled: 0,
      alreadySent: 0,
    })
  } finally {
    await harness.stop()
  }
})

describe('a resend', () => {
  shareContext({ timings: { graceMs: 20 } })
  beforeEach(() => {
    harness.push.calls.length = 0
    harness.push.answer = () => ({ kind: 'failed', reason: 'quota' })
  })

  const resend = (id: NotificationId, headers: Readonly<Record<string, string>> = {}) =>
    harness.inject(resendNotification, { as: admin, params: { id }, body: {}, headers })

  /** Sent to a user whose push fails and to one without a device. */
  const sendFailing = async (): Promise<NotificationId> => {
    await register(ada, randomUUID())
    const id = await send(ada, ben)
    await whenSettled(id)
    return id
  }

  it('pushes again to those whose push failed, with the same tag and no second inbox entry', async () => {
    const id = await sendFailing()
    expect(await progressOf(id)).toMatchObject({ failed: 1, skipped: 1 })
    harness.push.answer = () => ({ kind: 'accepted' })
    const answer = await resend(id)
    expect(answer.json()).toEqual({ success: true, message: 'Sending again to 1 person.', resent: 1 })
    await whenSettled(id)
    expect(await progressOf(id)).toMatchObject({ targeted: 2, pushed: 1, skipped: 1, failed: 0, cancelled: 0 })
    expect(harness.push.calls.map(({ message }) => message.notificationId)).toEqual([id, id])
    expect((await harness.call(listNotifications, { as: ada })).pagination.total).toBe(1)
    expect(await eventsOf(id, 'ResendRequested')).toMatchObject([
      { data: { requestedBy: admin.userId, attempt: 2 }, metadata: { actorId: admin.userId } },
    ])
    expect(harness.context.securityLog.events).toContainEqual(
      expect.objectContaining({ event: 'notification-resent', result: 'ok', target: id, userId: admin.userId }),
    )
  })

  it('leaves out those whose account was deactivated or erased since', async () => {
    await Promise.all([ada, ben, eve].map((person) => register(person, randomUUID())))
    const id = await send(ada, ben, eve)
    await whenSettled(id)
    expect(await progressOf(id)).toMatchObject({ failed: 3 })
    await harness.record(ada, { type: 'UserDeactivated', data: { userId: ada.userId } })
    await harness.record(ben, { type: 'UserErased', data: { userId: ben.userId, emailIndex: 'index' } })
    await harness.untilProjected()
    expect((await resend(id)).json()).toMatchObject({ resent: 1 })
    await whenSettled(id)
    expect(await eventsOf(id, 'ResendRequested')).toMatchObject([{ data: { recipients: [{ userIds: [eve.userId] }] } }])
    expect((await resend(id)).json()).toMatchObject({ resent: 1 })
  })

  it('is rejected if it would change nothing', async () => {
    const id = await sendFailing()
    await harness.record(ada, {
      type: 'SessionEnded',
      data: { userId: ada.userId, sessionId: ada.sessionId, reason: 'logged-out' },
    })
    const nothing = expect.objectContaining({ message: 'No recipient whose push failed has a device to send to' })
    const { readModel } = harness.context
    await until(async () => expect(await readModel.get(tokensRef(ada.userId))).toBeUndefined())
    const answer = await resend(id)
    expect([answer.statusCode, answer.json()]).toEqual([409, nothing])
    const seen = await send(eve)
    await whenSettled(seen)
    expect((await resend(seen)).json()).toEqual(nothing)
  })

  it('is not repeated by a retry with the same key', async () => {
    const id = await sendFailing()
    const key = { 'idempotency-key': randomUUID() }
    const first = await resend(id, key)
    await whenSettled(id)
    expect((await resend(id, key)).json()).toEqual(first.json())
    expect(await eventsOf(id, 'ResendRequested')).toHaveLength(1)
    expect(harness.push.calls).toHaveLength(2)
  })

  it('is recorded once if two are requested together', async () => {
    const id = await sendFailing()
    const key = { 'idempotency-key': randomUUID() }
    // Otherwise the push can fail before the last request, which then sends again.
    const provider = Promise.withResolvers<PushOutcome>()
    harness.push.answer = () => provider.promise
    const answers = await Promise.all([resend(id, key), resend(id, key), resend(id)])
    provider.resolve({ kind: 'failed', reason: 'quota' })
    await whenSettled(id)
    expect(await eventsOf(id, 'ResendRequested')).toHaveLength(1)
    expect(answers.map(({ statusCode }) => statusCode)).toContain(200)
    expect(harness.push.calls).toHaveLength(2)
  })

  it('happens at most four times', async () => {
    const id = await sendFailing()
    for (let attempt = 2; attempt <= 5; attempt++) {
      expect((await resend(id)).statusCode).toBe(200)
      await whenSettled(id)
    }
    const answer = await resend(id)
    expect([answer.statusCode, answer.json()]).toEqual([
      409,
      expect.objectContaining({ message: 'A notification can be sent at most 5 times' }),
    ])
    expect(harness.push.calls).toHaveLength(5)
  })
})

describe('a resend to more recipients than fit into one append', () => {
  shareContext({ timings: { graceMs: 20, maxRecipientsPerAppend: 2 } })

  it('pushes to each of them once, and a retry with the same key returns their number', async () => {
    const owners = [ada, ben, eve]
    for (const owner of owners) await register(owner, randomUUID())
    harness.push.answer = () => ({ kind: 'failed', reason: 'quota' })
    const id = await send(...owners)
    await whenSettled(id)
    expect(await progressOf(id)).toMatchObject({ failed: 3 })

    harness.push.calls.length = 0
    harness.push.answer = () => ({ kind: 'accepted' })
    const resend = () =>
      harness.call(resendNotification, {
        as: admin,
        params: { id },
        body: {},
        headers: { 'idempotency-key': `resend-${id}` },
      })
    expect(await resend()).toMatchObject({ resent: 3 })
    await whenSettled(id)
    expect(await resend()).toMatchObject({ resent: 3 })
    expect(await progressOf(id)).toMatchObject({ targeted: 3, pushed: 3, failed: 0 })
    expect(harness.push.calls).toHaveLength(3)
    const events = await eventsOf(id, 'ResendRequested')
    expect(events.map(({ data }) => data)).toEqual([
      expect.objectContaining({ attempt: 2 }),
      expect.objectContaining({ attempt: 2 }),
    ])
  })
})
