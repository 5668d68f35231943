import { randomUUID } from 'node:crypto'
import {
  holdNotification,
  listHeldNotifications,
  sendHeldNotification,
  takeBackNotification,
} from '@portal/contracts/notifications/held-send'
import { listNotifications, listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { limits } from '@portal/contracts/shared/rules'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

/** Nothing becomes due while a test runs. */
const long = { timings: { holdMs: 600_000 } }
/** Becomes due as soon as it is held. */
const short = { timings: { holdMs: 1 } }

let portal: Harness
let admin: Person
let ada: Person
let ben: Person
beforeEach(async () => {
  portal = await startHarness(long)
  ;({ admin, ada, ben } = await portal.cast())
})
afterEach(() => portal.stop())

const body = () => ({ userIds: [ada.userId, ben.userId], title: 'Fees', message: 'Are due', type: 'Exam' })
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const hold = (change: object = {}, headers = keyed()) =>
  portal.call(holdNotification, { as: admin, body: { ...body(), ...change }, headers })
const listed = async (as = admin) => (await portal.call(listHeldNotifications, { as })).held
const titles = async (as: Person) =>
  (await portal.call(listNotifications, { as })).notifications.map(({ title }) => title)
const byId = (id: string) => ({ as: admin, params: { id } })
const sendNow = (id: string) => portal.call(sendHeldNotification, byId(id))
const takeBack = (id: string) => portal.call(takeBackNotification, byId(id))
const other = (): Person => ({ ...admin, userId: ben.userId, sessionId: ben.sessionId })

describe('a confirmed send', () => {
  it('reaches nobody before it is due, and its sender alone finds it', async () => {
    const held = await hold({ expectedCount: 3 })
    expect(held).toMatchObject({ title: 'Fees', targeted: 2, leftOut: 1 })
    expect(held.dueInMs).toBeGreaterThan(0)
    expect(held.dueInMs).toBeLessThanOrEqual(600_000)
    const { notificationId } = held
    expect(await listed()).toEqual([{ notificationId, title: 'Fees', targeted: 2, dueInMs: expect.any(Number) }])
    expect(await listed(other())).toEqual([])
    expect(await titles(ada)).toEqual([])
    expect((await portal.call(listRecentNotifications, { as: admin })).notifications).toEqual([])
    const recorded = { event: 'notification-sent', result: 'ok', target: notificationId }
    expect(portal.context.securityLog.events).toContainEqual(expect.objectContaining(recorded))
  })

  it('is sent when it is due, without its browser, and answers whoever asks later as it did first', async () => {
    await portal.restart({ ...short, seenCounter: { wait: async () => 7 } })
    const { notificationId } = await hold()
    await until(async () => expect(await titles(ada)).toEqual(['Fees']))
    await until(async () => expect(await listed()).toEqual([]))
    await portal.restart({ seenCounter: { wait: async () => 0 } })
    const answer = await sendNow(notificationId)
    expect(answer).toMatchObject({
      successCount: 7,
      targeted: 2,
      message: 'Notification sent successfully to 7 devices',
    })
    expect(await titles(ben)).toEqual(['Fees'])
  })

  it('is sent once after a crash', async () => {
    await portal.restart({ ...short, delivers: false })
    await hold()
    expect(await titles(ada)).toEqual([])
    await portal.restart(short)
    await until(async () => expect(await titles(ada)).toEqual(['Fees']))
    await portal.restart(short)
    await until(async () => expect(await listed()).toEqual([]))
    await portal.untilProjected()
    expect(await titles(ada)).toEqual(['Fees'])
  })

  it('can be sent at once, by several tabs at the same moment, and counts in the history', async () => {
    const { notificationId } = await hold()
    const answers = await Promise.all([sendNow(notificationId), sendNow(notificationId), sendNow(notificationId)])
    for (const answer of answers) expect(answer).toEqual(answers[0])
    await portal.untilProjected()
    expect(await titles(ada)).toEqual(['Fees'])
    expect(await listed()).toEqual([])
    const { notifications } = await portal.call(listRecentNotifications, { as: admin })
    expect(notifications).toMatchObject([{ _id: notificationId, progress: { targeted: 2 } }])
  })

  it('goes to the recipients of the moment of the confirmation, also as a plan', async () => {
    await portal.restart({ timings: { holdMs: 1, maxRecipientsPerAppend: 1 } })
    await hold({ userIds: undefined, audience: { roles: ['student'] } })
    // Of a plan, each goes out by itself.
    for (const someone of [ada, ben]) await until(async () => expect(await titles(someone)).toEqual(['Fees']))
  })

  it('is one for a repeated request, while it is held and after it', async () => {
    const headers = keyed()
    const first = await hold({}, headers)
    expect((await hold({}, headers)).notificationId).toBe(first.notificationId)
    const sentAtOnce = await portal.inject(sendNotification, { as: admin, body: body(), headers })
    expect(sentAtOnce.statusCode).toBe(409)
    expect(await listed()).toHaveLength(1)
    await sendNow(first.notificationId)
    expect(await hold({}, headers)).toMatchObject({ notificationId: first.notificationId, dueInMs: 0 })
    expect(await portal.call(sendNotification, { as: admin, body: body(), headers })).toMatchObject({ targeted: 2 })
    await portal.untilProjected()
    expect(await titles(ada)).toEqual(['Fees'])
    const changed = await portal.inject(holdNotification, { as: admin, body: { ...body(), title: 'Other' }, headers })
    expect(changed.statusCode).toBe(409)
  })

  it('taken back reaches nobody, whatever is asked later', async () => {
    const headers = keyed()
    const { notificationId } = await hold({}, headers)
    await takeBack(notificationId)
    expect(await listed()).toEqual([])
    await takeBack(notificationId)
    const refused = 'This notification was taken back before it was sent'
    const calls = [
      portal.inject(sendHeldNotification, byId(notificationId)),
      portal.inject(holdNotification, { as: admin, body: body(), headers }),
      portal.inject(sendNotification, { as: admin, body: body(), headers }),
    ]
    for (const answer of await Promise.all(calls)) {
      expect(answer.statusCode).toBe(409)
      expect(answer.json()).toMatchObject({ message: refused })
    }
    await portal.restart(short)
    await portal.untilProjected()
    expect(await titles(ada)).toEqual([])
  })

  it('cannot be taken back once it is sent', async () => {
    const { notificationId } = await hold()
    await sendNow(notificationId)
    const answer = await portal.inject(takeBackNotification, byId(notificationId))
    expect(answer.statusCode).toBe(409)
    expect(answer.json()).toMatchObject({ message: 'This notification was already sent' })
  })

  it("is not another admin's, and one that was never held is not found", async () => {
    const { notificationId } = await hold()
    const sent = await portal.call(sendNotification, { as: admin, body: body() })
    for (const route of [sendHeldNotification, takeBackNotification]) {
      for (const call of [{ ...byId(notificationId), as: other() }, byId(sent.notificationId), byId(randomUUID())]) {
        expect((await portal.inject(route, call)).statusCode).toBe(404)
      }
    }
    expect(await listed()).toHaveLength(1)
  })

  it('waits for a decision if it is very late, for example after an outage', async () => {
    await portal.restart({ timings: { holdMs: -limits.sendLatenessMs - 60_000 } })
    const { notificationId } = await hold()
    await portal.restart({ timings: { holdMs: 1 } })
    await hold({ title: 'Later' })
    await until(async () => expect(await titles(ada)).toEqual(['Later']))
    await until(async () => expect(await listed()).toMatchObject([{ notificationId, dueInMs: expect.any(Number) }]))
    await sendNow(notificationId)
    await until(async () => expect(await titles(ada)).toEqual(['Fees', 'Later']))
  })

  it('needs a key, recipients who exist, and a text', async () => {
    const rows: [change: object, headers: Record<string, string>, message: string][] = [
      [{}, {}, 'Idempotency-Key is required'],
      [{ userIds: [randomUUID()] }, keyed(), 'Some selected users do not exist or are deactivated'],
      [{ userIds: [ada.userId, ada.userId] }, keyed(), 'Some users are selected more than once'],
      [{ userIds: undefined, audience: { universities: ['None'] } }, keyed(), 'Please select at least one user'],
      [{ title: ' ' }, keyed(), 'Please enter a notification title'],
    ]
    for (const [change, headers, message] of rows) {
      const answer = await portal.inject(holdNotification, { as: admin, body: { ...body(), ...change }, headers })
      expect(answer.statusCode).toBe(400)
      expect(JSON.stringify(answer.json())).toContain(message)
    }
    expect(await listed()).toEqual([])
  })
})
