import { randomUUID } from 'node:crypto'
import { listAudit } from '@portal/contracts/notifications/audit'
import { holdNotification, listHeldNotifications } from '@portal/contracts/notifications/held-send'
import {
  getCampaign,
  listNotifications,
  listRecentNotifications,
  sendNotification,
} from '@portal/contracts/notifications/http'
import {
  changeScheduledNotification,
  discardScheduledNotification,
  getScheduledNotification,
  listScheduledNotifications,
  sendScheduledNotification,
} from '@portal/contracts/notifications/scheduled-send'
import { momentInIndia } from '@portal/contracts/notifications/moment-in-india'
import { scheduleLimits } from '@portal/contracts/notifications/schedule-limits'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { apiKeyOf, type Person } from '@portal/notifications/testing/people'
import { programIdAt, savedProgram } from '@portal/notifications/testing/programs'
import { userIdAt } from '@portal/notifications/testing/samples'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]

/** Both clocks of the machine, ahead of those of the tests. Time goes on by `pass`; `set` changes one of them only. */
const clock = { passedMs: 0, setByMs: 0 }
const clockAndIds = {
  ...systemClockAndIds,
  now: () => new Date(Date.now() + clock.passedMs + clock.setByMs),
  elapsedMs: () => performance.now() + clock.passedMs,
}
const pass = (ms: number): void => void (clock.passedMs += ms)
const set = (byMs: number): void => void (clock.setByMs += byMs)

let portal: Harness
let admin: Person
let ada: Person
let ben: Person
beforeEach(async () => {
  Object.assign(clock, { passedMs: 0, setByMs: 0 })
  portal = await startHarness({ clockAndIds })
  ;({ admin, ada, ben } = await portal.cast())
})
afterEach(() => portal.stop())

const inFuture = (ms: number): string => new Date(clockAndIds.now().getTime() + ms).toISOString()
const body = () => ({ userIds: [ada.userId, ben.userId], title: 'Fees', message: 'Are due', type: 'Exam' })
const keyed = (key: string = randomUUID()) => ({ 'idempotency-key': key })
const asked = (change: object = {}) => ({ ...body(), sendAt: inFuture(hourMs), ...change })
const schedule = (change: object = {}, headers = keyed()) =>
  portal.call(sendNotification, { as: admin, body: asked(change), headers })
const listed = async (as = admin) => (await portal.call(listScheduledNotifications, { as })).scheduled
const titles = async (as: Person) =>
  (await portal.call(listNotifications, { as })).notifications.map(({ title }) => title)
const byId = (id: string, as = admin) => ({ as, params: { id } })
const sendNow = (id: string, as = admin, version?: number) =>
  portal.call(sendScheduledNotification, { ...byId(id, as), body: { version } })
const discard = (id: string) => portal.call(discardScheduledNotification, byId(id, other()))
const contentOf = async (id: string) => (await portal.call(getScheduledNotification, byId(id))).scheduled
const change = (id: string, version: number, more: object = {}, as = admin) =>
  portal.inject(changeScheduledNotification, { ...byId(id, as), body: { ...asked(more), version } })
/** Another admin. */
const other = (): Person => ({ ...admin, userId: ben.userId, sessionId: ben.sessionId })
const isSent = (title = 'Fees') => until(async () => expect(await titles(ada)).toEqual([title]))
/** What is due is known to be done once a later one is. */
const laterIsSent = async () => {
  const { notificationId } = await schedule({ title: 'Later', userIds: [ben.userId], sendAt: inFuture(2 * minuteMs) })
  pass(2 * minuteMs)
  await until(async () => expect(await titles(ben)).toContain('Later'))
  return notificationId
}

describe('a scheduled send', () => {
  it('answers for when it is scheduled, and all admins find it', async () => {
    const sendAt = inFuture(hourMs)
    const answer = await schedule({ sendAt, expectedCount: 3 })
    const message = `Scheduled for ${momentInIndia(Date.parse(sendAt))}`
    expect(answer).toMatchObject({ message, successCount: 0, targeted: 2, leftOut: 1, scheduledFor: sendAt })
    const { notificationId } = answer
    const row = {
      notificationId,
      title: 'Fees',
      says: 'Chosen by hand: 2 people',
      sendAt,
      version: 1,
      scheduledBy: { userId: admin.userId, fullName: expect.stringMatching(/./) },
    }
    for (const as of [admin, other()]) expect(await listed(as)).toMatchObject([row])
    expect((await listed())[0]?.dueInMs).toBeLessThanOrEqual(hourMs)
    expect(await titles(ada)).toEqual([])
    expect((await portal.call(listRecentNotifications, { as: admin })).notifications).toEqual([])
    const recorded = { event: 'notification-sent', result: 'ok', target: notificationId, code: 'scheduled' }
    expect(portal.context.securityLog.events).toContainEqual(expect.objectContaining(recorded))
  })

  it('is sent at its time, once, under the same id', async () => {
    const { notificationId } = await schedule()
    pass(hourMs - minuteMs)
    await laterIsSent()
    await isSent()
    await portal.restart({ clockAndIds })
    expect(await listed()).toEqual([])
    const { campaign } = await portal.call(getCampaign, byId(notificationId))
    expect(campaign).toMatchObject({ _id: notificationId, progress: { targeted: 2 } })
    await laterIsSent()
    expect(await titles(ada)).toEqual(['Fees'])
  })

  it('goes to the users whom its rule selects then, and not to those who are gone', async () => {
    await schedule({ userIds: undefined, audience: { roles: ['student'] } })
    const [, zoe] = await portal.people(1)
    if (!zoe) throw new Error('test user missing')
    await portal.record(ben, { type: 'UserDeactivated', data: { userId: ben.userId } })
    await schedule({ title: 'By hand', userIds: [ada.userId, zoe.userId], sendAt: inFuture(2 * hourMs) })
    await portal.record(ada, { type: 'UserErased', data: { userId: ada.userId, emailIndex: 'index' } })
    pass(hourMs)
    await until(async () => expect(await titles(zoe)).toEqual(['Fees']))
    pass(hourMs)
    await until(async () => expect(await titles(zoe)).toEqual(['By hand', 'Fees']))
    expect(await titles(ada)).toEqual([])
    expect(await titles(ben)).toEqual([])
  })

  it('records no address, and shows the present ones to change', async () => {
    const { people } = portal.context.service
    const address = (await people.snapshot()).person(ada.userId)?.personalEmail ?? ''
    const audience = { roles: ['student'], contacts: [address.toUpperCase(), 'nobody@mail.example'] }
    const { notificationId, targeted } = await schedule({ userIds: undefined, audience })
    expect(targeted).toBe(1)
    const texts: string[] = []
    for await (const { data } of portal.context.eventStore.read(`campaign-${notificationId}`))
      texts.push(JSON.stringify(data))
    expect(texts).toHaveLength(1)
    expect(texts.join(' ').toLowerCase()).not.toContain(address)
    expect(await contentOf(notificationId)).toMatchObject({ audience: { roles: ['student'], contacts: [address] } })
    pass(hourMs)
    await isSent()
    expect(await titles(ben)).toEqual([])
  })

  it('is missed if it has no recipients any more, and is left to an admin', async () => {
    const { notificationId } = await schedule({ userIds: [ada.userId] })
    await portal.record(ada, { type: 'UserDeactivated', data: { userId: ada.userId } })
    pass(hourMs)
    await until(async () => expect(await listed()).toMatchObject([{ notificationId, missed: 'no-recipients' }]))
    const now = await portal.inject(sendScheduledNotification, byId(notificationId))
    expect(now.json()).toMatchObject({ code: 'invalid', message: 'Please select at least one user' })
    await portal.record(ada, { type: 'UserReactivated', data: { userId: ada.userId } })
    await sendNow(notificationId)
    await isSent()
    expect(await listed()).toEqual([])
  })

  it('waits for an admin if its program is deleted', async () => {
    await portal.recordCatalog(savedProgram(1, 'AI'))
    const audience = { programIds: [programIdAt(1)], include: [ada.userId] }
    await schedule({ userIds: undefined, audience })
    await portal.recordCatalog({
      type: 'ProgramRemoved',
      data: { programId: programIdAt(1), removedAt: '2026-11-21T10:00:00.000Z' },
    })
    pass(hourMs)
    await until(async () => expect(await listed()).toMatchObject([{ missed: 'program-deleted' }]))
  })
})

describe('after an outage', () => {
  it('is sent at the start if it is at most an hour late, and missed otherwise', async () => {
    const [late, later] = [await schedule(), await schedule({ title: 'In time', sendAt: inFuture(hourMs + minuteMs) })]
    await portal.restart({ delivers: false, clockAndIds })
    pass(2 * hourMs + minuteMs / 2)
    await portal.restart({ clockAndIds })
    await isSent('In time')
    await until(async () =>
      expect(await listed()).toMatchObject([{ notificationId: late.notificationId, missed: 'late', version: 1 }]),
    )
    expect(later.notificationId).not.toBe(late.notificationId)
    await schedule({ title: 'Next' })
    expect((await listed()).map(({ title }) => title)).toEqual(['Fees', 'Next'])
    expect((await change(late.notificationId, 1)).statusCode).toBe(200)
    expect((await listed()).find(({ title }) => title === 'Fees')).not.toHaveProperty('missed')
  })
})

describe('a clock that is set', () => {
  it('forward by a day sends nothing early', async () => {
    await schedule({ sendAt: inFuture(2 * hourMs) })
    pass(minuteMs)
    set(dayMs)
    // What is scheduled by the new clock waits as well.
    const { notificationId } = await schedule({ title: 'Soon', userIds: [ben.userId], sendAt: inFuture(2 * minuteMs) })
    pass(2 * minuteMs)
    set(-dayMs)
    await laterIsSent()
    expect(await titles(ada)).toEqual([])
    await discard(notificationId)
    pass(2 * hourMs)
    await isSent()
  })

  it('back by a day sends nothing twice', async () => {
    const { notificationId } = await schedule()
    pass(hourMs)
    await isSent()
    set(-dayMs)
    await portal.restart({ clockAndIds })
    pass(dayMs)
    await laterIsSent()
    expect(await titles(ada)).toEqual(['Fees'])
    expect((await sendNow(notificationId)).targeted).toBe(2)
    await portal.untilProjected()
    expect(await titles(ada)).toEqual(['Fees'])
  })
})

describe('an admin', () => {
  it('changes what another one has scheduled; of two who change it at once, the first wins', async () => {
    const button = { label: 'Open', url: 'https://pay.example' }
    const { notificationId } = await schedule({ button, isUrgent: true })
    const content = await contentOf(notificationId)
    expect(content).toEqual({
      ...body(),
      button,
      isUrgent: true,
      sendAt: expect.any(String),
      version: 1,
    })
    const sendAt = inFuture(2 * hourMs)
    const first = await change(notificationId, 1, { title: 'Exam', sendAt }, other())
    expect(first.json()).toMatchObject({ version: 2, scheduledFor: sendAt, targeted: 2 })
    const second = await change(notificationId, 1, { title: 'Lost' })
    expect(second.json()).toMatchObject({
      code: 'conflict',
      message: 'Another admin has changed this scheduled notification. Please look at it again',
    })
    expect(await listed()).toMatchObject([{ title: 'Exam', sendAt, version: 2, changedBy: { userId: ben.userId } }])
    pass(hourMs)
    await laterIsSent()
    expect(await titles(ada)).toEqual([])
    pass(hourMs)
    await isSent('Exam')
  })

  it('sends it now, which happens once, and says who did', async () => {
    const { notificationId } = await schedule()
    const refused = await portal.inject(sendScheduledNotification, { ...byId(notificationId), body: { version: 7 } })
    expect(refused.statusCode).toBe(409)
    const answers = await Promise.all([sendNow(notificationId, other()), sendNow(notificationId, other(), 1)])
    expect(answers[0]).toMatchObject({ notificationId, targeted: 2 })
    expect(answers[1]).toEqual(answers[0])
    await isSent()
    pass(2 * hourMs)
    await laterIsSent()
    expect(await titles(ada)).toEqual(['Fees'])
    const { rows } = await portal.call(listAudit, { as: admin })
    const said = rows.filter(({ object }) => object?.kind === 'notification' && object.id === notificationId)
    const names = (await portal.context.service.people.snapshot()).person
    expect(said.map(({ says }) => says)).toEqual([
      `${names(ben.userId)?.fullName} sent the notification “Fees” to 2 people`,
      `${names(admin.userId)?.fullName} scheduled the notification “Fees”`,
    ])
  })

  it('discards it: nobody gets it, whatever is asked later', async () => {
    const [headers, sendAt] = [keyed(), inFuture(hourMs)]
    const { notificationId } = await schedule({ sendAt }, headers)
    await discard(notificationId)
    await discard(notificationId)
    expect(await listed()).toEqual([])
    const calls = [
      portal.inject(sendScheduledNotification, byId(notificationId)),
      portal.inject(sendNotification, { as: admin, body: asked({ sendAt }), headers }),
      change(notificationId, 1),
    ]
    const message = 'This scheduled notification was discarded'
    for (const answer of await Promise.all(calls)) expect(answer.json()).toMatchObject({ code: 'conflict', message })
    expect((await portal.inject(getScheduledNotification, byId(notificationId))).statusCode).toBe(404)
    pass(hourMs)
    await laterIsSent()
    expect(await titles(ada)).toEqual([])
    const { rows } = await portal.call(listAudit, { as: admin })
    expect(rows.map(({ says }) => says)).toContainEqual(expect.stringMatching(/ discarded a scheduled notification$/))
  })

  it('cannot discard or change what was sent, or what was never scheduled', async () => {
    const { notificationId } = await schedule()
    await sendNow(notificationId)
    for (const answer of [
      await portal.inject(discardScheduledNotification, byId(notificationId)),
      await change(notificationId, 1),
    ])
      expect(answer.json()).toMatchObject({ code: 'conflict', message: 'This notification was already sent' })
    const sent = await portal.call(sendNotification, { as: admin, body: body() })
    expect((await portal.inject(getScheduledNotification, byId(notificationId))).statusCode).toBe(404)
    for (const id of [sent.notificationId, randomUUID()]) {
      expect((await change(id, 1)).statusCode).toBe(404)
      for (const route of [sendScheduledNotification, discardScheduledNotification, getScheduledNotification])
        expect((await portal.inject(route, byId(id))).statusCode).toBe(404)
    }
  })
})

describe('a request to schedule', () => {
  it('is one if it is repeated, also after its time, and another one with its key is a conflict', async () => {
    const headers = keyed()
    const sendAt = inFuture(hourMs)
    const first = await schedule({ sendAt }, headers)
    expect(await schedule({ sendAt }, headers)).toEqual(first)
    const requests = [body(), asked({ sendAt, title: 'Other' }), asked({ sendAt: inFuture(2 * hourMs) })]
    for (const request of requests) {
      const answer = await portal.inject(sendNotification, { as: admin, body: request, headers })
      expect(answer.json()).toMatchObject({ code: 'conflict' })
    }
    const held = await portal.inject(holdNotification, { as: admin, body: body(), headers })
    expect(held.statusCode).toBe(409)
    expect(await listed()).toHaveLength(1)
    pass(hourMs)
    await isSent()
    expect(await schedule({ sendAt }, headers)).toEqual(first)
    expect(await titles(ada)).toEqual(['Fees'])
  })

  it('takes any offset, and a program with the right to send', async () => {
    const at = inFuture(dayMs)
    const inIndia = `${new Date(Date.parse(at) + 5.5 * hourMs).toISOString().slice(0, -1)}+05:30`
    const headers = { authorization: `Bearer ${apiKeyOf(admin, 'send')}` }
    const answer = await portal.call(sendNotification, { body: asked({ sendAt: inIndia }), headers })
    expect(answer.scheduledFor).toBe(at)
    const reader = { authorization: `Bearer ${apiKeyOf(admin, 'read-results')}` }
    const refused = await portal.inject(sendNotification, { body: asked(), headers: reader })
    expect(refused.statusCode).toBe(403)
  })

  it('needs a time ahead, recipients who exist, and a text', async () => {
    const rows: [change: object, message: string][] = [
      [{ sendAt: inFuture(minuteMs / 2) }, 'Please choose a time at least 1 minute from now'],
      [{ sendAt: inFuture(366 * dayMs) }, 'Please choose a time within the next 12 months'],
      [{ sendAt: '2026-12-01 09:00' }, 'sendAt must be a time such as 2026-12-01T09:00:00+05:30'],
      [{ userIds: [userIdAt(70_000)] }, 'Some selected users do not exist or are deactivated'],
      [{ userIds: [ada.userId, ada.userId] }, 'Some users are selected more than once'],
      [{ userIds: undefined, audience: { universityNames: ['None'] } }, 'Please select at least one user'],
      [{ userIds: undefined, audience: { programIds: [programIdAt(9)] } }, 'Program not found'],
      [{ title: ' ' }, 'Please enter a notification title'],
    ]
    for (const [wrong, message] of rows) {
      const answer = await portal.inject(sendNotification, { as: admin, body: asked(wrong), headers: keyed() })
      expect(answer.statusCode).toBe(400)
      expect(JSON.stringify(answer.json())).toContain(message)
    }
    expect(await listed()).toEqual([])
  })

  it(`is rejected beyond ${scheduleLimits.sends} scheduled ones`, async () => {
    for (let count = 0; count < scheduleLimits.sends; count += 20)
      await Promise.all(Array.from({ length: 20 }, () => schedule()))
    const answer = await portal.inject(sendNotification, { as: other(), body: asked(), headers: keyed() })
    expect(answer.json()).toMatchObject({
      code: 'conflict',
      message: 'At most 200 notifications can be scheduled. Please send or discard some of them first',
    })
    const [first] = await listed()
    await discard(first?.notificationId ?? '')
    await schedule()
    expect(await listed()).toHaveLength(scheduleLimits.sends)
  })

  it('does not hold a send for later', async () => {
    await portal.call(holdNotification, { as: admin, body: body(), headers: keyed() })
    expect(await listed()).toEqual([])
    expect((await portal.call(listHeldNotifications, { as: admin })).held).toHaveLength(1)
  })
})
