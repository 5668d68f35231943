import {
  countUnread,
  getNotification,
  getCampaign,
  listNotifications,
  readAllNotifications,
  readNotification,
  recallNotification,
  sendNotification,
  unreadNotification,
} from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import { recordSend } from '@portal/notifications/testing/memory-log'
import type { Person } from '@portal/notifications/testing/people'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { createContentCache } from './content-cache.ts'
import { createInboxReader } from './inbox-reader.ts'
import { createMarkRead } from './mark-read.ts'
import { inboxProjection } from './projection.ts'
import { until } from '@portal/platform/testing/until'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

let harness: Harness
let admin: Person
let ada: Person
let ben: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

beforeEach(async () => {
  const [first, second, third] = await harness.people(2)
  if (!first || !second || !third) throw new Error('test user missing')
  ;[admin, ada, ben] = [first, second, third]
})

const sendTo = async (person: Person, title: string): Promise<NotificationId> => {
  const body = { userIds: [person.userId], title, message: `About ${title}` }
  return (await harness.call(sendNotification, { as: admin, body })).notificationId
}
const read = (as: Person, id: NotificationId) => harness.call(readNotification, { as, params: { id } })
const markUnread = (as: Person, id: NotificationId) => harness.call(unreadNotification, { as, params: { id } })
const readAll = (as: Person) => harness.call(readAllNotifications, { as })
const unreadOf = async (as: Person) => (await harness.call(countUnread, { as })).count
/** How many recipients of the campaign have read it. */
const readCount = async (id: NotificationId) =>
  (await harness.call(getCampaign, { as: admin, params: { id } })).campaign.progress.read
const unreadTitles = async (as: Person, query = {}) => {
  const { notifications } = await harness.call(listNotifications, { as, query })
  return notifications.filter(({ isRead }) => !isRead).map(({ title }) => title)
}

describe('[N-31] marking as unread', () => {
  it('is visible when the response is sent, also in the filter', async () => {
    const id = await sendTo(ada, 'Exam hall')
    await read(ada, id)
    const answer = await markUnread(ada, id)
    expect(answer).toMatchObject({ seq: 3, unread: 1, notification: { _id: id, isRead: false, readAt: null } })
    expect(await unreadOf(ada)).toBe(1)
    expect(await unreadTitles(ada)).toEqual(['Exam hall'])
    expect(await unreadTitles(ada, { filter: 'unread' })).toEqual(['Exam hall'])
    expect((await harness.call(getNotification, { as: ada, params: { id } })).notification.isRead).toBe(false)
  })

  it('twice, or of an unread one, records nothing', async () => {
    const id = await sendTo(ada, 'Exam hall')
    const end = await harness.context.eventStore.end()
    expect(await markUnread(ada, id)).toMatchObject({ unread: 1, seq: 1 })
    expect(await harness.context.eventStore.end()).toBe(end)
    await read(ada, id)
    const first = await markUnread(ada, id)
    expect(await markUnread(ada, id)).toEqual(first)
  })

  it('can be repeated after each read', async () => {
    const id = await sendTo(ada, 'Exam hall')
    for (const seq of [2, 4, 6]) {
      expect(await read(ada, id)).toMatchObject({ unread: 0, seq, notification: { isRead: true } })
      expect(await markUnread(ada, id)).toMatchObject({ unread: 1, seq: seq + 1, notification: { isRead: false } })
    }
  })

  it('is undone by a mark-all, also if nothing has arrived since the last one, and again afterward', async () => {
    const [first, second] = [await sendTo(ada, 'One'), await sendTo(ada, 'Two')]
    await readAll(ada)
    for (const id of [first, second, first]) {
      await markUnread(ada, id)
      expect(await unreadOf(ada)).toBe(1)
      expect(await readAll(ada)).toMatchObject({ unread: 0 })
      expect(await unreadTitles(ada)).toEqual([])
    }
    const { notification } = await harness.call(getNotification, { as: ada, params: { id: first } })
    expect(notification.readAt).not.toBeNull()
  })

  it('stays after a mark-all of an older state of the inbox', async () => {
    const old = await sendTo(ada, 'Old')
    const { epoch, seq } = await harness.call(listNotifications, { as: ada })
    const later = await sendTo(ada, 'Later')
    await read(ada, later)
    await markUnread(ada, later)
    await harness.call(readAllNotifications, { as: ada, query: { upTo: seq, epoch } })
    expect(await unreadTitles(ada)).toEqual(['Later'])
    await markUnread(ada, old)
    expect(await unreadTitles(ada)).toEqual(['Later', 'Old'])
  })

  it('changes no count of the campaign: it was read once', async () => {
    const id = await sendTo(ada, 'Exam hall')
    await read(ada, id)
    await markUnread(ada, id)
    expect(await readCount(id)).toBe(1)
    await read(ada, id)
    await markUnread(ada, id)
    await readAll(ada)
    await harness.untilProjected()
    expect(await readCount(id)).toBe(1)
  })

  it('counts a read by a mark-all once, whose counts follow later', async () => {
    const id = await sendTo(ada, 'Exam hall')
    await readAll(ada)
    await markUnread(ada, id)
    await read(ada, id)
    await until(async () => expect(await readCount(id)).toBe(1))
  })

  it('ends with a recall, which leaves no unread count behind', async () => {
    const id = await sendTo(ada, 'Wrong room')
    await read(ada, id)
    await markUnread(ada, id)
    await harness.call(recallNotification, { as: admin, params: { id }, body: {} })
    expect(await unreadOf(ada)).toBe(0)
    const response = await harness.inject(unreadNotification, { as: ada, params: { id } })
    expect(response.statusCode).toBe(404)
    await sendTo(ada, 'Right room')
    expect(await readAll(ada)).toMatchObject({ unread: 0 })
  })

  it("is rejected for another user's notification, and changes nothing", async () => {
    const id = await sendTo(ada, 'Exam hall')
    await read(ada, id)
    const response = await harness.inject(unreadNotification, { as: ben, params: { id } })
    expect(response.statusCode).toBe(404)
    expect(await unreadOf(ada)).toBe(0)
  })
})

describe('marking as unread on a read model under control', () => {
  const user = userIdAt(1)
  const setUp = async (sends: number) => {
    const log = createProjectedLog(inboxProjection)
    for (let n = 1; n <= sends; n++) recordSend(log, n, [user])
    await log.project()
    const inbox = createInboxReader(log.readModel, {
      contentCache: createContentCache(log.readModel),
      fillTexts: plainTexts,
    })
    let isProjecting = true
    const recorded = new Set<string>()
    const markRead = createMarkRead({
      eventStore: {
        // Takes a known id for a repetition, as event stores do.
        append: async (stream, _expected, events) => {
          const isNew = events.every(({ id }) => !recorded.has(id))
          for (const { id } of events) recorded.add(id)
          return log.append(stream, ...(isNew ? events : []))
        },
      },
      readModel: {
        whenApplied: async () => {
          if (isProjecting) await log.project()
          return isProjecting
        },
      },
      inbox,
      now: () => new Date('2026-02-03T04:05:06.789Z'),
    })
    return { log, inbox, markRead, hold: (held: boolean) => void (isProjecting = !held) }
  }

  it('succeeds while the projection is behind, and is not lost behind an earlier mark with the same number', async () => {
    const { log, inbox, markRead, hold } = await setUp(1)
    const id = notificationIdAt(1)
    await markRead.one(user, id, {})
    hold(true)
    expect(await markRead.unread(user, id, {})).toMatchObject({ ok: true, value: { notification: { isRead: false } } })
    // Recorded elsewhere: the user reads it again. This process sees none of both.
    log.append(`inbox-${user}`, { type: 'NotificationRead', data: { userId: user, notificationId: id } })
    hold(false)
    expect(await markRead.unread(user, id, {})).toMatchObject({ ok: true, value: { notification: { isRead: false } } })
    expect(await inbox.head(user)).toMatchObject({ unread: 1 })
    await log.close()
  })

  it('is rejected beyond the limit until one is read', async () => {
    const sends = limits.markedUnreadPerUser + 1
    const { log, inbox, markRead } = await setUp(sends)
    await markRead.all(user, {})
    for (let n = 1; n < sends; n++) expect((await markRead.unread(user, notificationIdAt(n), {})).ok).toBe(true)
    expect(await markRead.unread(user, notificationIdAt(sends), {})).toMatchObject({
      ok: false,
      error: { code: 'conflict', message: expect.stringContaining('at most 200') },
    })
    await markRead.one(user, notificationIdAt(1), {})
    expect((await markRead.unread(user, notificationIdAt(sends), {})).ok).toBe(true)
    expect(await inbox.head(user)).toMatchObject({ unread: limits.markedUnreadPerUser })
    await markRead.all(user, {})
    expect(await inbox.head(user)).toMatchObject({ unread: 0 })
    await log.close()
  })
})
