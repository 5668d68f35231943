import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  currentRecipients,
  failedRecipientsOf,
  failedRef,
  recipientsOf,
  recipientsRef,
  resentRef,
  tallyOf,
  tallyRef,
} from '../read-model.ts'
import { inboxProjection } from './projection.ts'

const ada = userIdAt(1)
const bucket = bucketKey(ada)
/** Another user of the same bucket. */
const ben = Array.from({ length: 1_000 }, (_, n) => userIdAt(n + 2)).find((id) => bucketKey(id) === bucket) ?? ada
const notificationId = notificationIdAt(1)
const stream = `campaign-${notificationId}`

let log: ProjectedLog
beforeEach(() => {
  log = createProjectedLog(inboxProjection)
  recordSend(log, 1, [ada, ben])
})
afterEach(() => log.close())

const settle = (...outcomes: readonly DeliveryOutcome[]) =>
  log.append(stream, {
    type: 'RecipientsSettled',
    data: { notificationId, settled: [{ bucket, outcomes }] },
  })

const resend = (attempt: number, ...userIds: readonly (typeof ada)[]) =>
  log.append(stream, {
    type: 'ResendRequested',
    data: { notificationId, requestedBy: userIdAt(900), attempt, recipients: [{ bucket, userIds }] },
  })

const state = async () => {
  await log.project()
  const [recipients, resent] = await log.readModel.getMany([
    recipientsRef(bucket, notificationId),
    resentRef(bucket, notificationId),
  ])
  const { pending, settled, attempts } = currentRecipients(recipientsOf(recipients), recipientsOf(resent))
  const tally = tallyOf(await log.readModel.get(tallyRef(bucket, notificationId)))
  const failedIds = failedRecipientsOf(await log.readModel.get(failedRef(bucket, notificationId)))
  return {
    pending,
    settled,
    attempts,
    counts: { targeted: tally.targeted, pushed: tally.pushed, failed: tally.failed, resent: tally.resent },
    failedIds,
  }
}

it('a failed recipient is pending again after a resend, and has the outcome of the new attempt', async () => {
  settle({ userId: ada, state: 'failed', reason: 'quota' }, { userId: ben, state: 'pushed' })
  expect(await state()).toMatchObject({ pending: [], counts: { pushed: 1, failed: 1 }, failedIds: [ada] })
  resend(2, ada)
  expect(await state()).toEqual({
    pending: [ada],
    settled: [{ state: 'pushed', userIds: [ben] }],
    attempts: [{ attempt: 2, userIds: [ada] }],
    counts: { targeted: 2, pushed: 1, failed: 0, resent: 1 },
    failedIds: [],
  })
  settle({ userId: ada, state: 'pushed', attempt: 2 })
  expect(await state()).toMatchObject({
    pending: [],
    settled: [
      { state: 'pushed', userIds: [ben] },
      { state: 'pushed', userIds: [ada] },
    ],
    counts: { targeted: 2, pushed: 2, failed: 0, resent: 1 },
  })
})

it('only the first outcome of the current attempt counts', async () => {
  settle({ userId: ada, state: 'failed' })
  settle({ userId: ada, state: 'pushed', attempt: 2 })
  expect(await state()).toMatchObject({ pending: [ben], counts: { pushed: 0, failed: 1 } })
  resend(2, ada)
  settle({ userId: ada, state: 'live' })
  expect(await state()).toMatchObject({ pending: [ben, ada] })
  settle({ userId: ada, state: 'failed', attempt: 2 })
  settle({ userId: ada, state: 'pushed', attempt: 2 })
  expect(await state()).toMatchObject({ pending: [ben], counts: { pushed: 0, failed: 1 }, failedIds: [ada] })
})

it('a resend and its outcomes leave the document of all recipients as it is', async () => {
  settle({ userId: ada, state: 'failed' }, { userId: ben, state: 'pushed' })
  await log.project()
  const allRecipients = () => log.readModel.get(recipientsRef(bucket, notificationId))
  const before = await allRecipients()
  resend(2, ada)
  settle({ userId: ada, state: 'pushed', attempt: 2 })
  await log.project()
  expect(await allRecipients()).toEqual(before)
})

it('a resend changes only recipients whose push failed', async () => {
  settle({ userId: ada, state: 'pushed' })
  const before = await state()
  resend(2, ada, ben)
  expect(await state()).toEqual(before)
})

it('each recipient has one attempt, the last', async () => {
  settle({ userId: ada, state: 'failed' }, { userId: ben, state: 'failed' })
  resend(2, ada)
  resend(2, ben)
  expect((await state()).attempts).toEqual([{ attempt: 2, userIds: [ada, ben] }])
  settle({ userId: ada, state: 'failed', attempt: 2 })
  resend(3, ada)
  expect((await state()).attempts).toEqual([
    { attempt: 2, userIds: [ben] },
    { attempt: 3, userIds: [ada] },
  ])
})
