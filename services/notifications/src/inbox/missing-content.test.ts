import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  countUnread,
  getNotification,
  listNotifications,
  listRecentNotifications,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { textRef } from '../read-model.ts'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { createInboxReader } from './inbox-reader.ts'
import { createContentCache } from './content-cache.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

let harness: Harness
let admin: Person
let ada: Person
let sent: [NotificationId, NotificationId, NotificationId]

beforeEach(async () => {
  harness = await startHarness({ delivers: false })
  ;({ admin, ada } = await harness.cast())
  sent = [await send(1), await send(2), await send(3)]
})
afterEach(() => harness.stop())

const send = async (n: number) => {
  const body = { userIds: [ada.userId], title: `T${n}`, message: `About T${n}` }
  return (await harness.call(sendNotification, { as: admin, body })).notificationId
}

/** Simulates a failover to a lagging replica: the position stays, but an acknowledged text is lost. */
const loseText = async (id: NotificationId) => {
  const db = new DatabaseSync(join(harness.folder, 'read.db'), { timeout: 5_000 })
  const { changes } = db.prepare("DELETE FROM documents WHERE collection = 'notification-text' AND key = ?").run(id)
  db.close()
  expect(changes).toBe(1)
  // Clears the process's cache.
  await harness.restart()
}

const readerWithoutLog = () => {
  const { readModel } = harness.context
  return createInboxReader(readModel, { contentCache: createContentCache(readModel), fillTexts: plainTexts })
}

describe('a text that the read model has lost', () => {
  it('is restored from the log when a page needs it', async () => {
    await loseText(sent[1])
    const page = await harness.call(listNotifications, { as: ada })
    expect(page.notifications.map(({ title, message }) => [title, message])).toEqual([
      ['T3', 'About T3'],
      ['T2', 'About T2'],
      ['T1', 'About T1'],
    ])
    const { readModel } = harness.context
    expect(await readModel.get(textRef(sent[1]))).toMatchObject({ title: 'T2' })
  })

  it('is restored for one notification and for the campaign history', async () => {
    await loseText(sent[1])
    const { notification } = await harness.call(getNotification, { as: ada, params: { id: sent[1] } })
    expect(notification.title).toBe('T2')
    await loseText(sent[0])
    const { notifications } = await harness.call(listRecentNotifications, { as: admin })
    expect(notifications.map(({ title }) => title)).toEqual(['T3', 'T2', 'T1'])
  })

  it('leaves its line in the page if the log is unavailable, with correct counts', async () => {
    await loseText(sent[1])
    const { notifications, unread, isComplete } = await readerWithoutLog().page(ada.userId, { page: 1, limit: 10 })
    expect(notifications.map(({ title }) => title)).toEqual(['T3', 'This notification cannot be shown right now', 'T1'])
    expect(isComplete).toBe(false)
    expect(notifications.filter(({ isRead }) => !isRead)).toHaveLength(unread)
    expect(await harness.call(countUnread, { as: ada })).toMatchObject({ count: unread })
  })

  it('is not sent to a tab by the gateway, which has no log; the tab fetches the page', async () => {
    await loseText(sent[1])
    const { epoch } = harness.context.readModel
    const reader = readerWithoutLog()
    expect(await reader.changesSince(ada.userId, 0, epoch)).toEqual({ reset: true, epoch, seq: 3, unread: 3 })
    expect(await reader.changesSince(ada.userId, 2, epoch)).toMatchObject({ seq: 3, changes: [{ seq: 3 }] })
  })
})
