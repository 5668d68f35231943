import { listNotifications, listRecentNotifications, savePushToken } from '@portal/contracts/notifications/http'
import { type DeliveryStatus, notificationTypes } from '@portal/contracts/notifications/notification'
import { defaultPageSize } from '@portal/contracts/shared/page'
import { limits } from '@portal/contracts/shared/rules'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { maxSampleRecipients, seedNotifications } from './notifications.ts'
import { sampleNotifications } from './sample-notifications.ts'

const now = new Date('2026-11-21T10:00:00.000Z')
const clockAndIds = { now: () => now }

let harness: Harness
let admin: Person
let learners: readonly Person[]
let professor: Person

beforeEach(async () => {
  // As it is when a portal is filled: what delivers starts afterwards.
  harness = await startHarness({ delivers: false, timings: { graceMs: 1 } })
  const [first, last, ...others] = await harness.people(32)
  if (!first || !last) throw new Error('somebody is missing')
  ;[admin, professor, learners] = [first, last, others]
})
afterEach(() => harness.stop())

const seed = async (some = learners, { eventStore }: Pick<typeof harness.context, 'eventStore'> = harness.context) => {
  const seeded = await seedNotifications(
    { eventStore, clockAndIds },
    { learners: some.map(({ userId }) => userId), faculty: [professor.userId], sentBy: admin.userId },
  )
  await harness.untilProjected()
  return seeded
}

const inboxOf = async (person: Person) =>
  (await harness.call(listNotifications, { as: person, query: { limit: 100 } })).notifications

const history = async () => {
  const query = { limit: 100 }
  const { notifications } = await harness.call(listRecentNotifications, { as: admin, query })
  return notifications.flatMap((sent) => ('progress' in sent ? [sent] : []))
}

describe('the sample notifications', () => {
  it('have several of each type, with unique keys and titles within the limits', () => {
    for (const type of notificationTypes)
      expect(sampleNotifications.filter((sample) => sample.type === type).length).toBeGreaterThanOrEqual(3)
    for (const field of ['key', 'title'] as const)
      expect(new Set(sampleNotifications.map((sample) => sample[field])).size).toBe(sampleNotifications.length)
    for (const { title, message } of sampleNotifications) {
      expect(title.length).toBeLessThanOrEqual(limits.titleChars)
      expect(message.length).toBeLessThanOrEqual(limits.messageChars)
      expect(`${title} ${message}`).not.toContain('!')
    }
  })

  it('fill more than a page for every learner, all types on the first page, some read and some not', async () => {
    await seed()
    for (const learner of learners) expect((await inboxOf(learner)).length).toBeGreaterThan(defaultPageSize)
    const [first] = learners
    const list = first ? await inboxOf(first) : []
    expect(list).toHaveLength(sampleNotifications.length)
    expect(new Set(list.slice(0, defaultPageSize).map(({ type }) => type)).size).toBe(notificationTypes.length)
    expect(new Set(list.map(({ isRead }) => isRead)).size).toBe(2)
    expect(list[0]?.isRead).toBe(false)
  })

  it('are all settled in the history, and partly read', async () => {
    const { sent, read } = await seed()
    expect(sent).toBe(sampleNotifications.length)
    const sends = await history()
    expect(sends.map(({ title }) => title)).toEqual(sampleNotifications.map(({ title }) => title).toReversed())
    const sum = (field: 'targeted' | 'read' | DeliveryStatus) =>
      sends.reduce((total, { progress }) => total + progress[field], 0)
    expect(sum('pending')).toBe(0)
    expect(sum('live') + sum('skipped')).toBe(sum('targeted'))
    expect(sum('read')).toBe(read)
    expect(sum('live')).toBe(read)
    expect(read).toBeGreaterThan(sum('targeted') / 4)
  })

  it('were sent over the last days, the newest first, and each read after it was sent', async () => {
    await seed()
    const times = (await history()).map(({ deliveredAt }) => Date.parse(deliveredAt))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    expect(new Set(times).size).toBe(sampleNotifications.length)
    expect(Math.min(...times)).toBeGreaterThan(now.getTime() - 13 * 24 * 3_600_000)
    for (const learner of learners)
      for (const { isRead, readAt, deliveredAt } of await inboxOf(learner)) {
        if (!isRead) continue
        expect(Date.parse(readAt ?? '')).toBeGreaterThan(Date.parse(deliveredAt))
        expect(Date.parse(readAt ?? '')).toBeLessThanOrEqual(now.getTime())
      }
  })

  it('were each read by some learners and not by others, but the newest by nobody', async () => {
    await seed()
    const [newest, ...others] = await history()
    expect(newest?.progress.read).toBe(0)
    for (const { progress } of others) {
      expect(progress.read).toBeGreaterThan(0)
      expect(progress.read).toBeLessThan(progress.targeted)
    }
  })

  it('reach the faculty if sent to everybody', async () => {
    await seed()
    const list = await inboxOf(professor)
    expect(list.length).toBeGreaterThan(0)
    for (const { type } of list) expect(['General', 'System Maintenance']).toContain(type)
  })

  it('push nothing, not even to a device', async () => {
    for (const person of learners) await harness.call(savePushToken, { as: person, body: { token: person.userId } })
    await seed()
    await harness.restart({ delivers: true })
    await harness.untilProjected()
    expect(harness.push.calls).toEqual([])
    expect((await history()).every(({ progress }) => progress.pushed + progress.pending === 0)).toBe(true)
  })

  it('are recorded once, also when seeded again with more learners', async () => {
    await seed(learners.slice(0, 20))
    const end = await harness.context.eventStore.end()
    expect(await seed()).toEqual({ sent: 0, read: 0 })
    expect(await harness.context.eventStore.end()).toBe(end)
  })

  it('are completed by the next call after the disk was full', async () => {
    const { eventStore } = harness.context
    let appends = 0
    const failing: typeof eventStore = {
      ...eventStore,
      append: (...args) =>
        ++appends > sampleNotifications.length + 5
          ? Promise.reject(new Error('disk full'))
          : eventStore.append(...args),
    }
    await expect(seed(learners, { eventStore: failing })).rejects.toThrow('failed')
    const { sent, read } = await seed()
    expect(sent).toBe(0)
    expect(read).toBeGreaterThan(0)
    for (const { progress } of await history()) expect(progress.read).toBe(progress.live)
    expect(await seed()).toEqual({ sent: 0, read: 0 })
  })

  it('go to no learner if there are none', async () => {
    expect(await seed([])).toMatchObject({ read: 0 })
    expect((await history()).every(({ progress }) => progress.targeted === 1)).toBe(true)
  })

  it('fit into one append each with the maximum number of recipients', async () => {
    const { eventStore } = harness.context
    const people = await harness.people(maxSampleRecipients + 1)
    const some = { learners: people.slice(1).map(({ userId }) => userId), faculty: [], sentBy: admin.userId }
    expect((await seedNotifications({ eventStore, clockAndIds }, some)).sent).toBe(sampleNotifications.length)
    await harness.untilProjected()
    const [newest] = await history()
    expect(newest?.progress.targeted).toBe(maxSampleRecipients)
  })
})
