import type { ReadModel } from '@portal/platform/read-model/port'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { headRef, itemList } from '../read-model.ts'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createInboxReader } from './inbox-reader.ts'
import { createMarkRead } from './mark-read.ts'
import { createPageCache } from './routes.ts'
import { inboxProjection } from './projection.ts'
import { createContentCache } from './content-cache.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

const user = userIdAt(1)
const { collection } = headRef(user)
const query = { page: 1, limit: 10 }

let log: ProjectedLog
/** Counts head reads by requests, not by the projection. */
let headReads: number
/** Called before the items of a page are read. */
let beforeItems: () => Promise<void>

const countingReadModel = (readModel: ReadModel): ReadModel => ({
  ...readModel,
  get: (ref) => {
    if (ref.collection === collection) headReads += 1
    return readModel.get(ref)
  },
  getMany: (refs) => {
    headReads += refs.filter((ref) => ref.collection === collection).length
    return readModel.getMany(refs)
  },
  range: async (partition, list, range) => {
    if (list === itemList(user)) await beforeItems()
    return readModel.range(partition, list, range)
  },
})

const headReadsOf = async <T>(work: Promise<T>): Promise<number> => {
  await work
  return headReads
}

/** Three notifications have arrived. */
beforeEach(async () => {
  log = createProjectedLog(inboxProjection)
  headReads = 0
  beforeItems = () => Promise.resolve()
  for (const n of [1, 2, 3]) recordSend(log, n, [user])
  await log.project()
})
afterEach(() => log.close())

const open = () => {
  const readModel = countingReadModel(log.readModel)
  const inbox = createInboxReader(readModel, { contentCache: createContentCache(readModel), fillTexts: plainTexts })
  const markRead = createMarkRead({
    eventStore: { append: async (stream, _expected, events) => log.append(stream, ...events) },
    readModel: { whenApplied: () => log.project().then(() => true) },
    inbox,
    now: () => new Date(0),
  })
  return { inbox, markRead, pageBody: createPageCache(inbox) }
}

it('marking one notification as read costs two head reads, and a repetition one', async () => {
  const { markRead } = open()
  expect(await headReadsOf(markRead.one(user, notificationIdAt(2), {}))).toBe(2)
  headReads = 0
  expect(await headReadsOf(markRead.one(user, notificationIdAt(2), {}))).toBe(1)
})

it('marking all notifications as read costs two head reads', async () => {
  const { markRead } = open()
  expect(await headReadsOf(markRead.all(user, {}))).toBe(2)
})

it('a page costs one head read, whether it is cached or not', async () => {
  const { markRead, pageBody } = open()
  expect(await headReadsOf(pageBody(user, query))).toBe(1)
  headReads = 0
  expect(await headReadsOf(pageBody(user, query))).toBe(1)
  await markRead.one(user, notificationIdAt(2), {})
  headReads = 0
  expect(await headReadsOf(pageBody(user, query))).toBe(1)
})

it('a page agrees with its counts when notifications are read while it is', async () => {
  for (const change of [
    () => open().markRead.one(user, notificationIdAt(2), {}),
    () => open().markRead.all(user, {}),
  ]) {
    const { inbox } = open()
    let isChanged = false
    beforeItems = async () => {
      if (isChanged) return
      isChanged = true
      await change()
    }
    const { notifications, unread } = await inbox.page(user, query)
    expect(notifications.filter(({ isRead }) => !isRead)).toHaveLength(unread)
    expect(isChanged).toBe(true)
  }
})

it('a page agrees with its counts if a notification arrives during the read', async () => {
  const { inbox } = open()
  beforeItems = async () => {
    beforeItems = () => Promise.resolve()
    recordSend(log, 4, [user])
    await log.project()
  }
  const { notifications, pagination, seq, unread } = await inbox.page(user, query)
  expect({ seq, unread, lines: notifications.length }).toEqual({ seq: 3, unread: 3, lines: 3 })
  expect(pagination).toMatchObject({ total: 3 })
})
