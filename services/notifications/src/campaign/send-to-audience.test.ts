import { randomUUID } from 'node:crypto'
import type { Audience } from '@portal/contracts/notifications/audience'
import {
  countUnread,
  listNotifications,
  listRecentNotifications,
  readNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { UserId } from '@portal/contracts/shared/ids'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SeenCounter } from '../seen-reports.ts'
import { campaignDecider } from './decider.ts'

let harness: Harness
let admin: Person
let learners: readonly Person[]
let asked: (readonly UserId[] | undefined)[]

const seenCounter: SeenCounter = {
  wait: async (_, userIds) => {
    asked.push(userIds)
    return 2
  },
}

beforeEach(async () => {
  asked = []
  harness = await startHarness({ seenCounter, timings: { maxRecipientsPerAppend: 3 } })
  const [first, ...others] = await harness.people(5)
  if (!first) throw new Error('test user missing')
  ;[admin, learners] = [first, others]
})
afterEach(() => harness.stop())

const text = { title: 'Fees', message: 'Are due', type: 'Exam' as const }
const idsOf = (people: readonly Person[]) => people.map(({ userId }) => userId)

const sendTo = (audience: Audience, more: object = {}) =>
  harness.call(sendNotification, { as: admin, body: { ...text, audience, ...more } })
const inject = (body: object, key?: string) =>
  harness.inject(sendNotification, { as: admin, body, ...(key && { headers: { 'idempotency-key': key } }) })

const untilInInboxes = (people: readonly Person[], count: number) =>
  until(async () => {
    const counts = await Promise.all(people.map((as) => harness.call(countUnread, { as })))
    expect(counts.map(({ count: unread }) => unread)).toEqual(people.map(() => count))
  })

const recordedTypes = async (notificationId: string): Promise<readonly string[]> => {
  const types = []
  for await (const { type } of harness.context.eventStore.read(`${campaignDecider.category}-${notificationId}`))
    types.push(type)
  return types
}

describe('a notification to an audience', () => {
  it('arrives in the inbox of each user whom the rule selects', async () => {
    const [ada, ben, ...others] = learners
    if (!ada || !ben) throw new Error('test user missing')
    const answer = await sendTo({ include: idsOf([ada, ben]) })
    expect(answer).toMatchObject({ message: 'Notification sent successfully to 2 devices', targeted: 2 })
    await untilInInboxes([ada, ben], 1)
    await untilInInboxes(others, 0)
    expect(await recordedTypes(answer.notificationId)).toContain('CampaignSent')
  })

  it('is rejected without users whom it selects, and records nothing', async () => {
    const rows: [body: object, message: string][] = [
      [{ audience: { programIds: [randomUUID()] } }, 'Program not found'],
      [{ audience: {} }, 'Please select at least one user'],
      [{ audience: { roles: ['faculty'] } }, 'Please select at least one user'],
      [{}, 'Please select at least one user'],
      [{ audience: { everyone: true }, userIds: [randomUUID()] }, 'Please give either userIds or audience, not both'],
    ]
    const end = await harness.context.eventStore.end()
    const calls = rows.map(([body, message]) => [{ body: { ...text, ...body } }, message] as const)
    expect(await harness.refusals(sendNotification, calls, { as: admin })).toEqual(calls)
    expect(await harness.context.eventStore.end()).toBe(end)
  })

  it('reminds those who have not read another one, and says how many were left out', async () => {
    const [ada, ben] = learners
    if (!ada || !ben) throw new Error('test user missing')
    const { notificationId } = await sendTo({ include: idsOf([ada, ben]) })
    await untilInInboxes([ada, ben], 1)
    await harness.call(readNotification, { as: ada, params: { id: notificationId } })
    const reminder = await sendTo({ unreadOf: notificationId }, { expectedCount: 2 })
    expect(reminder).toMatchObject({ targeted: 1, leftOut: 1 })
    await untilInInboxes([ben], 2)
    await untilInInboxes([ada], 0)
  })
})

describe('a notification to more users than fit into one append', () => {
  it('is one row in the history, and arrives in each inbox once', async () => {
    const { notificationId, targeted } = await sendTo({ everyone: true })
    expect(targeted).toBe(5)
    expect(asked).toEqual([undefined])
    const { notifications } = await harness.call(listRecentNotifications, { as: admin })
    expect(notifications.map(({ _id }) => _id)).toEqual([notificationId])
    await untilInInboxes(learners, 1)
    expect(await recordedTypes(notificationId)).toEqual(['RecipientsPlanned', 'CampaignPlanned', 'RecipientsTargeted'])
    await harness.untilProjected()
    const [progress] = await harness.context.service.progress.progressOf([notificationId])
    expect(progress).toMatchObject({ targeted: 5, pending: 5 })
    expect(progress).not.toHaveProperty('distributed')
  })

  it('says how many have it while it is distributed', async () => {
    await harness.restart({ delivers: false })
    const { notificationId } = await sendTo({ everyone: true })
    const { notifications } = await harness.call(listRecentNotifications, { as: admin })
    expect(notifications[0]).toMatchObject({ progress: { targeted: 5, pending: 5, distributed: 0 } })
    await untilInInboxes(learners, 0)
    await harness.restart({ delivers: true })
    await untilInInboxes(learners, 1)
    const [first] = learners
    const { notifications: inbox } = await harness.call(listNotifications, { as: first })
    expect(inbox).toMatchObject([{ _id: notificationId, title: 'Fees' }])
  })

  it('is sent once for a key, with the same answer, although the rule selects others by then', async () => {
    const key = randomUUID()
    const body = { ...text, audience: { everyone: true } }
    const first = await inject(body, key)
    expect(first.json()).toMatchObject({ successCount: 2, targeted: 5 })
    await harness.people(3)
    await harness.restart()
    expect((await inject(body, key)).body).toBe(first.body)
    expect((await inject({ ...body, audience: { roles: ['student'] } }, key)).statusCode).toBe(409)
    await untilInInboxes(learners, 1)
  })

  it('concurrent requests with one key are sent once', async () => {
    const key = randomUUID()
    const body = { ...text, audience: { everyone: true } }
    const answers = await Promise.all([1, 2, 3].map(() => inject(body, key)))
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1)
    await untilInInboxes(learners, 1)
    const { notifications } = await harness.call(listRecentNotifications, { as: admin })
    expect(notifications).toHaveLength(1)
  })
})
