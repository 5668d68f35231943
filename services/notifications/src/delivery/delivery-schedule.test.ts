import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createDeferrals } from './deferrals.ts'
import { createDeliverySchedule, type DeliverySchedule } from './delivery-schedule.ts'
import { pendingDeliveriesProjection } from './pending-deliveries.ts'
import { createSendTimes } from './send-times.ts'

const graceMs = 4_000
const bucket = 'b05'
const users: readonly UserId[] = Array.from({ length: 10_000 }, (_, n) => userIdAt(n + 1)).filter(
  (userId) => bucketKey(userId) === bucket,
)
const [ada, ben] = [users[0] ?? userIdAt(0), users[1] ?? userIdAt(0)]
const sent = { notificationId: notificationIdAt(1), attempt: 1, sentAt: new Date(0).toISOString() }
const at = (ms: number) => ({ wallMs: ms, steadyMs: ms })

let log: ProjectedLog
let schedule: DeliverySchedule
beforeEach(() => {
  log = createProjectedLog(pendingDeliveriesProjection)
  const backoff = { firstMs: 1_000, maxMs: 1_000 }
  schedule = createDeliverySchedule({
    pendingDeliveries: log.readModel,
    times: createSendTimes(graceMs),
    deferrals: createDeferrals({
      'not-arrived': backoff,
      'not-accepted': backoff,
      'not-projected': backoff,
      failed: backoff,
    }),
  })
})
afterEach(() => log.close())

/** A slice of the campaign's recipients arrives. */
const arrive = async (userId: UserId, ms: number): Promise<void> => {
  recordSend(log, 1, [userId])
  await log.project()
  schedule.arrived(bucket, sent, at(ms))
}
const dueAt = async (ms: number) => (await schedule.due(at(ms))).map(({ pending }) => pending)

it('gives recipients who arrive while earlier ones are being settled their own grace period, and not longer', async () => {
  await arrive(ada, 0)
  const [delivery] = await schedule.due(at(graceMs))
  if (!delivery) throw new Error('nothing is due')
  await arrive(ben, graceMs + 10)
  expect(await dueAt(graceMs + 10)).toEqual([])
  schedule.done(delivery, new Map(), graceMs + 20)

  expect(await dueAt(graceMs + 20)).toEqual([])
  expect(schedule.nextAtMs()).toBe(2 * graceMs + 10)
  expect(await dueAt(2 * graceMs + 10)).toEqual([[ada, ben]])
})

it('waits for the last recipients of a bucket before it settles the first', async () => {
  await arrive(ada, 0)
  await arrive(ben, graceMs - 10)
  expect(await dueAt(graceMs)).toEqual([])
  expect(await dueAt(2 * graceMs - 10)).toEqual([[ada, ben]])
})

it('a delivery is due again after its progress if the waiting of its recipients ended meanwhile', async () => {
  await arrive(ada, 0)
  const [delivery] = await schedule.due(at(graceMs))
  if (!delivery) throw new Error('nothing is due')
  schedule.recheck(bucket, at(graceMs + 10))
  expect(await dueAt(graceMs + 10)).toEqual([])
  schedule.done(delivery, new Map(), graceMs + 20)
  expect(await dueAt(graceMs + 20)).toEqual([[ada]])
})
