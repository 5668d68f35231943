import {
  countUnread,
  listNotifications,
  readAllNotifications,
  readNotification,
  recallNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Harness, requestOf, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'

let harness: Harness
let admin: Person
let ada: Person

beforeAll(async () => {
  harness = await startHarness()
})
afterAll(() => harness.stop())

beforeEach(async () => {
  const [first, second] = await harness.people(1)
  if (!first || !second) throw new Error('test user missing')
  ;[admin, ada] = [first, second]
})

const send = async (title: string, type: NotificationType = 'General', message = `About ${title}`) => {
  const body = { userIds: [ada.userId], title, message, type }
  return (await harness.call(sendNotification, { as: admin, body })).notificationId
}

type Query = Readonly<Record<string, string | number>>
const pageOf = (query: Query) => harness.call(listNotifications, { as: ada, query })
const titlesOf = async (query: Query) => (await pageOf(query)).notifications.map(({ title }) => title)

describe('a filtered inbox', () => {
  it('has only unread notifications, while the unread count stays that of the inbox', async () => {
    await send('First')
    const read = await send('Second')
    await send('Third')
    await harness.call(readNotification, { as: ada, params: { id: read } })
    const page = await pageOf({ filter: 'unread', limit: 1 })
    expect(page.notifications.map(({ title }) => title)).toEqual(['Third'])
    expect(page).toMatchObject({ unread: 2, pagination: { page: 1, limit: 1, total: 2, totalPages: 2 } })
    expect(await titlesOf({ filter: 'unread', limit: 1, page: 2 })).toEqual(['First'])
  })

  it('follows a read and an arrival at once', async () => {
    const first = await send('First')
    expect(await titlesOf({ filter: 'unread' })).toEqual(['First'])
    await harness.call(readNotification, { as: ada, params: { id: first } })
    expect(await titlesOf({ filter: 'unread' })).toEqual([])
    await send('Second')
    expect(await titlesOf({ filter: 'unread' })).toEqual(['Second'])
  })

  it('has the chosen types, repeated or separated by commas', async () => {
    await send('An exam', 'Exam')
    await send('A fee', 'Fee Payment Reminder')
    await send('Anything')
    expect(await titlesOf({ type: 'Exam' })).toEqual(['An exam'])
    expect(await titlesOf({ type: 'Exam,Fee Payment Reminder' })).toEqual(['A fee', 'An exam'])
    const request = requestOf(listNotifications, { as: ada })
    const url = '/notifications?type=Exam&type=General'
    const response = await harness.context.app.inject({ ...request, url })
    expect(response.json()).toMatchObject({ pagination: { total: 2 } })
  })

  it('has every word of a search in title or message, whatever their case, accents and order', async () => {
    await send('Café opens', 'General', 'On the second floor')
    await send('Exam on Monday', 'Exam', 'Second floor, room 12')
    expect(await titlesOf({ q: 'FLOOR second' })).toEqual(['Exam on Monday', 'Café opens'])
    expect(await titlesOf({ q: 'cafe' })).toEqual(['Café opens'])
    expect(await titlesOf({ q: 'floor monday' })).toEqual(['Exam on Monday'])
    expect(await titlesOf({ q: 'floor', type: 'General' })).toEqual(['Café opens'])
    expect(await titlesOf({ q: 'nowhere' })).toEqual([])
  })

  it('never has a withdrawn notification', async () => {
    const id = await send('Exam on Monday', 'Exam')
    await send('Another exam', 'Exam')
    await harness.call(recallNotification, { as: admin, params: { id }, body: { reason: 'A mistake' } })
    await harness.untilProjected()
    const queries: readonly Query[] = [{ filter: 'unread' }, { type: 'Exam' }, { q: 'exam' }]
    for (const query of queries) expect(await titlesOf(query)).toEqual(['Another exam'])
    expect(await titlesOf({ type: 'General' })).toEqual([])
  })

  it.each([
    ['an unknown filter', { filter: 'starred' }],
    ['an unknown type', { type: 'Exam,Party' }],
    ['a long query', { q: 'a'.repeat(101) }],
  ])('rejects %s', async (_, query) => {
    const response = await harness.inject(listNotifications, { as: ada, query })
    expect(response.statusCode).toBe(400)
  })
})

describe('marking all up to a sequence number', () => {
  const markAll = async (query: Query) => {
    await harness.call(readAllNotifications, { as: ada, query })
    return titlesOf({ filter: 'unread' })
  }

  it('leaves later arrivals unread', async () => {
    for (const title of ['First', 'Second', 'Third']) await send(title)
    const { epoch, seq } = await pageOf({})
    for (const title of ['Fourth', 'Fifth']) await send(title)
    expect(await markAll({ upTo: seq, epoch })).toEqual(['Fifth', 'Fourth'])
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ unread: 2 })
    expect(await markAll({ upTo: seq, epoch })).toEqual(['Fifth', 'Fourth'])
    expect(await markAll({})).toEqual([])
  })

  it('marks nothing up to a number before the first arrival', async () => {
    await send('First')
    const { epoch } = await pageOf({})
    expect(await markAll({ upTo: 0, epoch })).toEqual(['First'])
  })

  it('marks all for the number of another epoch', async () => {
    await send('First')
    expect(await markAll({ upTo: 0, epoch: 'another' })).toEqual([])
  })
})
