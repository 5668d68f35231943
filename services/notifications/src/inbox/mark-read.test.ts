import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createInboxReader, type InboxReader } from './inbox-reader.ts'
import { createMarkRead, type MarkRead } from './mark-read.ts'
import { inboxProjection } from './projection.ts'
import { createContentCache } from './content-cache.ts'
import { plainTexts } from '@portal/notifications/testing/plain-texts'

const user = userIdAt(1)
const now = new Date('2026-02-03T04:05:06.789Z')

let log: ProjectedLog
let inbox: InboxReader
let markRead: MarkRead

/** Two notifications have arrived; the projection advances only on request. */
beforeEach(async () => {
  log = createProjectedLog(inboxProjection)
  recordSend(log, 1, [user])
  recordSend(log, 2, [user])
  await log.project()
  inbox = createInboxReader(log.readModel, { contentCache: createContentCache(log.readModel), fillTexts: plainTexts })
  markRead = createMarkRead({
    eventStore: { append: async (stream, _expected, events) => log.append(stream, ...events) },
    readModel: { whenApplied: async () => false },
    inbox,
    now: () => now,
  })
})
afterEach(() => log.close())

describe('a recorded read while the projection is behind', () => {
  it('[N-13] succeeds for one notification, with the current counts', async () => {
    const answer = await markRead.one(user, notificationIdAt(1), {})
    if (!answer.ok) throw new Error(answer.error.message)
    const { notification, ...state } = answer.value
    expect(notification).toMatchObject({ isRead: true, readAt: now.toISOString() })
    expect(state).toEqual({ epoch: log.readModel.epoch, seq: 2, unread: 2 })
    await log.project()
    expect(await inbox.head(user)).toMatchObject({ seq: 3, unread: 1 })
  })

  it('[N-14] succeeds for all, with the current counts', async () => {
    const { epoch } = log.readModel
    expect(await markRead.all(user, {})).toEqual({ ok: true, value: { epoch, seq: 2, unread: 2 } })
    await log.project()
    expect(await inbox.head(user)).toMatchObject({ seq: 3, unread: 0 })
  })
})
