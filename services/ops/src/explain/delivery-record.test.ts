import { bucketKey } from '@portal/contracts/shared/buckets'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { headRef } from '@portal/notifications/read-model'
import { recordRecall, recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { loadFrom } from '../../testing/explain/load-from.ts'

const [notificationId, ada] = [notificationIdAt(1), userIdAt(1)]
const stream = `campaign-${notificationId}`

let log: ProjectedLog
beforeEach(() => {
  log = createProjectedLog(inboxProjection)
})
afterEach(() => log.close())

const record = () => loadFrom(log, { userId: ada, notificationId })

const settle = () =>
  log.append(stream, {
    type: 'RecipientsSettled',
    data: {
      notificationId,
      settled: [{ bucket: bucketKey(ada), outcomes: [{ userId: ada, state: 'skipped', reason: 'no device' }] }],
    },
  })
const markAll = () =>
  log.append(`inbox-${ada}`, {
    type: 'AllNotificationsRead',
    data: { userId: ada, newestId: notificationId, readUpTo: 1, arrivals: 1 },
  })

describe('the record of a delivery', () => {
  it('has what the console shows, with the status of its reader', async () => {
    recordSend(log, 1, [ada])
    settle()
    markAll()
    await log.project()
    expect((await record()).shown).toEqual({ status: 'skipped', reason: 'no device', isRead: true })
  })

  it('has the outcome and the read of the log also if the projection lacks them', async () => {
    recordSend(log, 1, [ada])
    await log.project()
    settle()
    markAll()
    const { shown, outcome, read } = await record()
    expect(shown).toEqual({ status: 'pending', isRead: false })
    expect([outcome?.state, read?.how]).toEqual(['skipped', 'with all others'])
  })

  it('says until when a push waits, as the console does', async () => {
    recordSend(log, 1, [ada])
    const recipients = [{ bucket: bucketKey(ada), userIds: [ada] }]
    const until = '2026-11-22T01:30:00.000Z'
    log.append(stream, { type: 'RecipientsPostponed', data: { notificationId, until, recipients } })
    await log.project()
    const { shown, postponed } = await record()
    expect(shown).toMatchObject({ status: 'pending', reason: 'held' })
    expect(postponed?.until).toBe(until)
    settle()
    await log.project()
    expect((await record()).shown).toEqual({ status: 'skipped', reason: 'no device', isRead: false })
  })

  it('has no read of a notification that was withdrawn before', async () => {
    recordSend(log, 1, [ada])
    recordRecall(log, notificationId)
    markAll()
    await log.project()
    const { read, shown } = await record()
    expect(read).toBeUndefined()
    expect(shown).toMatchObject({ isRead: false })
  })

  it('has the time of the first email about it', async () => {
    recordSend(log, 1, [ada])
    expect(await record()).not.toHaveProperty('emailedAt')
    for (const ids of [[notificationIdAt(2)], [notificationId], [notificationId]])
      log.append(`mail-${ada}`, { type: 'UnseenMailSent', data: { userId: ada, notificationIds: ids } })
    expect((await record()).emailedAt).toBe(log.events.at(-2)?.at)
  })

  it('says why the console cannot show it', async () => {
    recordSend(log, 1, [ada])
    settle()
    await log.project()
    const partition = bucketKey(ada)
    const { collection, key } = headRef(ada)
    const write = { op: 'put', collection, key, value: 'corrupt' } as const
    await log.readModel.commit({
      projection: 'corruptor',
      partition,
      expected: undefined,
      position: '1',
      writes: [write],
    })
    const { shown, outcome } = await record()
    expect(shown).toEqual({ unreadable: expect.stringContaining('malformed inbox head') })
    expect(outcome?.state).toBe('skipped')
    const unbuilt = await loadFrom({ events: log.events }, { userId: ada, notificationId })
    expect(unbuilt.shown).toEqual({ unreadable: 'the inbox projection has no data' })
    expect(unbuilt.outcome?.state).toBe('skipped')
  })
})
