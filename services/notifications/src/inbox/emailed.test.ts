import { bucketKey } from '@portal/contracts/shared/buckets'
import { recordRecall, recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCampaignProgress } from '../campaign/progress.ts'
import { headOf, headRef, itemList, itemOf } from '../read-model.ts'
import { inboxProjection } from './projection.ts'

const [ada, ben] = [userIdAt(1), userIdAt(2)]
let log: ProjectedLog
beforeEach(() => {
  log = createProjectedLog(inboxProjection)
  for (const n of [1, 2]) recordSend(log, n, [ada, ben])
})
afterEach(() => log.close())

const mail = (userId: typeof ada, ...ids: readonly number[]) =>
  log.append(`mail-${userId}`, {
    type: 'UnseenMailSent',
    data: { userId, notificationIds: ids.map(notificationIdAt) },
  })
const emailed = async () => {
  await log.project()
  const progress = await createCampaignProgress(log.readModel).progressOf([1, 2].map(notificationIdAt))
  return progress.map((sums) => sums?.emailed)
}
const itemOfAda = async (n: number) => {
  const entry = await log.readModel.entry(bucketKey(ada), itemList(ada), notificationIdAt(n))
  return entry && itemOf(entry.value)
}

it('counts whom an e-mail told of a campaign, once each, beside the states that add up', async () => {
  expect(await emailed()).toEqual([undefined, undefined])
  mail(ada, 1, 2)
  mail(ben, 1)
  // Of a release that forgot the first e-mail.
  mail(ada, 1)
  expect(await emailed()).toEqual([2, 1])
  const [sums] = await createCampaignProgress(log.readModel).progressOf([notificationIdAt(1)])
  expect(sums).toMatchObject({ targeted: 2, pending: 2, skipped: 0 })
})

it('keeps the time of the e-mail through a read and a recall, and does not change the inbox', async () => {
  mail(ada, 1)
  await log.project()
  const emailedAt = log.events.at(-1)?.at
  expect(await itemOfAda(1)).toMatchObject({ emailedAt })
  expect(headOf(await log.readModel.get(headRef(ada)))).toMatchObject({ seq: 2, unread: 2 })
  log.append(`inbox-${ada}`, { type: 'NotificationRead', data: { userId: ada, notificationId: notificationIdAt(1) } })
  recordRecall(log, notificationIdAt(1))
  await log.project()
  expect(await itemOfAda(1)).toMatchObject({ emailedAt, readAt: expect.any(String), withdrawnAt: expect.any(String) })
})

it('ignores a notification that the inbox lacks', async () => {
  mail(ada, 3)
  expect(await emailed()).toEqual([undefined, undefined])
})
