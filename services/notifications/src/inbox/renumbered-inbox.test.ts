import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { countUnread, readAllNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { headRef, itemList, markList, readList } from '../read-model.ts'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'

let harness: Harness
beforeEach(async () => {
  harness = await startHarness({ delivers: false })
})
afterEach(() => harness.stop())

/** Deletes the inbox without the projection's knowledge; new items are numbered from 1. */
const deleteInbox = (userId: UserId) => {
  const db = new DatabaseSync(join(harness.folder, 'read.db'), { timeout: 5_000 })
  db.prepare('DELETE FROM documents WHERE collection = ? AND key = ?').run(headRef(userId).collection, userId)
  const inList = 'DELETE FROM entries WHERE list IN (SELECT id FROM lists WHERE partition = ? AND name = ?)'
  for (const list of [itemList(userId), markList(userId), readList(userId)])
    db.prepare(inList).run(bucketKey(userId), list)
  db.close()
}

it('a mark-all reads everything, although an earlier one has the same number', async () => {
  const { admin, ada } = await harness.cast()
  const send = async () => {
    const body = { userIds: [ada.userId], title: 'T', message: 'm' }
    for (let n = 0; n < 3; n++) await harness.call(sendNotification, { as: admin, body })
  }
  await send()
  await harness.call(readAllNotifications, { as: ada })
  deleteInbox(ada.userId)
  await send()
  await harness.untilProjected()
  expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 3 })
  expect(await harness.call(readAllNotifications, { as: ada })).toMatchObject({ unread: 0 })
  expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: 0 })
})
