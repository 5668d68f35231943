import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { pendingDeliveriesProjection, readPending } from '@portal/notifications/delivery/pending-deliveries'
import { inboxProjection } from '@portal/notifications/inbox/projection'
import { currentRecipients, recipientsOf, recipientsRef, resentRef } from '@portal/notifications/read-model'
import { createMemoryLog, recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { expect, it } from 'vitest'
import { expirePendingDeliveries } from './expire-pending-deliveries.ts'

const [ada, ben, cem] = [userIdAt(1), userIdAt(2), userIdAt(3)]
const admin = userIdAt(900)

it('ends each pending delivery with an outcome of its attempt, also one whose push waits, and a stopped one as canceled', async () => {
  const log = createMemoryLog()
  const inbox = createProjectedLog(inboxProjection, log)
  const ledger = createProjectedLog(pendingDeliveriesProjection, log)
  const inBucketOf = (userId: UserId) => ({ bucket: bucketKey(userId) })
  const [resent, stopped] = [notificationIdAt(1), notificationIdAt(2)]
  recordSend(log, 1, [ada, ben])
  log.append(`campaign-${resent}`, {
    type: 'RecipientsSettled',
    data: { notificationId: resent, settled: [{ ...inBucketOf(ada), outcomes: [{ userId: ada, state: 'failed' }] }] },
  })
  log.append(`campaign-${resent}`, {
    type: 'ResendRequested',
    data: {
      notificationId: resent,
      requestedBy: admin,
      attempt: 2,
      recipients: [{ ...inBucketOf(ada), userIds: [ada] }],
    },
  })
  recordSend(log, 2, [ben])
  log.append(`campaign-${stopped}`, {
    type: 'CancelRequested',
    data: { notificationId: stopped, requestedBy: admin, buckets: [bucketKey(ben)] },
  })
  recordSend(log, 3, [cem])
  const waiting = notificationIdAt(3)
  log.append(`campaign-${waiting}`, {
    type: 'RecipientsPostponed',
    data: {
      notificationId: waiting,
      until: '2026-01-01T07:00:00.000Z',
      recipients: [{ ...inBucketOf(cem), userIds: [cem] }],
    },
  })
  const project = () => Promise.all([inbox.project(), ledger.project()])
  await project()

  const expired = await expirePendingDeliveries(
    {
      ledger: ledger.readModel,
      inbox: inbox.readModel,
      eventStore: { append: async (stream, _expected, events) => log.append(stream, ...events) },
    },
    new AbortController().signal,
  )
  expect(expired).toBe(4)
  await project()
  const settledOf = async (id: typeof resent, userId: UserId) => {
    const bucket = bucketKey(userId)
    const [recipients, ofResends] = await inbox.readModel.getMany([recipientsRef(bucket, id), resentRef(bucket, id)])
    return currentRecipients(recipientsOf(recipients), recipientsOf(ofResends)).settled
  }
  expect(await settledOf(resent, ada)).toEqual([{ state: 'skipped', reason: 'expired', userIds: [ada] }])
  expect(await settledOf(resent, ben)).toEqual([{ state: 'skipped', reason: 'expired', userIds: [ben] }])
  expect(await settledOf(stopped, ben)).toEqual([
    { state: 'cancelled', reason: 'cancelled by an admin', userIds: [ben] },
  ])
  expect(await settledOf(waiting, cem)).toEqual([{ state: 'skipped', reason: 'expired', userIds: [cem] }])
  for (const userId of [ada, ben, cem]) expect(await readPending(ledger.readModel, bucketKey(userId))).toEqual([])
  await Promise.all([inbox.close(), ledger.close()])
})
