import type { AuthEvent } from '@portal/contracts/auth/events'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createMemoryLog, recordSend } from '@portal/notifications/testing/memory-log'
import { createProjectedLog, type ProjectedLog } from '@portal/notifications/testing/projected-log'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { pendingDeliveriesProjection, readDeactivated, readErased, readPending } from './pending-deliveries.ts'

/** All in one bucket. */
const users: readonly UserId[] = Array.from({ length: 100_000 }, (_, n) => userIdAt(n + 1)).filter(
  (userId) => bucketKey(userId) === 'b05',
)
const [ada, ben, eve] = [users[0] ?? userIdAt(0), users[1] ?? userIdAt(0), users[2] ?? userIdAt(0)]

let log: ProjectedLog
beforeEach(() => {
  log = createProjectedLog(pendingDeliveriesProjection)
})
afterEach(() => log.close())

const settleAs = (n: number, ...outcomes: readonly DeliveryOutcome[]) =>
  log.append(`campaign-${notificationIdAt(n)}`, {
    type: 'RecipientsSettled',
    data: { notificationId: notificationIdAt(n), settled: [{ bucket: 'b05', outcomes }] },
  })
const settle = (n: number, ...userIds: readonly UserId[]) =>
  settleAs(n, ...userIds.map((userId): DeliveryOutcome => ({ userId, state: 'live' })))

const resend = (n: number, attempt: number, ...userIds: readonly UserId[]) =>
  log.append(`campaign-${notificationIdAt(n)}`, {
    type: 'ResendRequested',
    data: {
      notificationId: notificationIdAt(n),
      requestedBy: userIdAt(900),
      attempt,
      recipients: [{ bucket: 'b05', userIds }],
    },
  })

const stop = (n: number, type: 'CancelRequested' | 'CampaignRecalled') => {
  const by = { requestedBy: userIdAt(900), recalledBy: userIdAt(900) }
  return log.append(`campaign-${notificationIdAt(n)}`, {
    type,
    data: { notificationId: notificationIdAt(n), ...by, buckets: ['b05'] },
  })
}

const open = async () => {
  await log.project()
  const all = await readPending(log.readModel, 'b05')
  return all.map(({ notificationId, pending, active }) => ({ notificationId, pending, active }))
}

describe('the pending-deliveries projection', () => {
  it('lists pending recipients, oldest campaign first, with the time sent', async () => {
    recordSend(log, 1, [ada, ben])
    recordSend(log, 2, [ada])
    expect(await open()).toEqual([
      { notificationId: notificationIdAt(1), pending: [ada, ben], active: [] },
      { notificationId: notificationIdAt(2), pending: [ada], active: [] },
    ])
    const [first] = await readPending(log.readModel, 'b05')
    expect(first?.sentAt).toBe(log.events[0]?.at)
  })

  it('uses the original time sent if the log was copied and recorded again later', async () => {
    const before = createMemoryLog()
    recordSend(before, 1, [ada])
    const occurredAt = '2025-06-01T10:00:00.000Z'
    const moved = createProjectedLog(pendingDeliveriesProjection, {
      ...before,
      events: before.events.map((event) => ({ ...event, metadata: { occurredAt } })),
    })
    await moved.project()
    expect(await readPending(moved.readModel, 'b05')).toMatchObject([{ sentAt: occurredAt }])
    await moved.close()
  })

  it('has one entry per bucket, even if its recipients fill several chunks', async () => {
    recordSend(log, 1, users.slice(0, 1_200))
    const [line, ...others] = await open()
    expect(line?.pending).toHaveLength(1_200)
    expect(others).toEqual([])
  })

  it('removes settled recipients, and the campaign when none is left', async () => {
    recordSend(log, 1, [ada, ben, eve])
    settle(1, ada, ben)
    settle(1, ada)
    expect(await open()).toEqual([{ notificationId: notificationIdAt(1), pending: [eve], active: [] }])
    settle(1, eve)
    expect(await open()).toEqual([])
  })

  it('marks recipients who have read something in all their pending deliveries', async () => {
    recordSend(log, 1, [ada, ben])
    recordSend(log, 2, [ada])
    log.append(`inbox-${ada}`, {
      type: 'NotificationRead',
      data: { userId: ada, notificationId: notificationIdAt(2) },
    })
    expect(await open()).toEqual([
      { notificationId: notificationIdAt(1), pending: [ben], active: [ada] },
      { notificationId: notificationIdAt(2), pending: [], active: [ada] },
    ])
    settle(2, ada)
    expect(await open()).toEqual([{ notificationId: notificationIdAt(1), pending: [ben], active: [ada] }])
  })

  it('lists a resend as another delivery, which only an outcome of its attempt ends', async () => {
    recordSend(log, 1, [ada, ben])
    settle(1, ada)
    resend(1, 2, ada)
    const first = { notificationId: notificationIdAt(1), attempt: 1, pending: [ben] }
    const second = { notificationId: notificationIdAt(1), attempt: 2, pending: [ada], sentAt: log.events.at(-1)?.at }
    await log.project()
    expect(await readPending(log.readModel, 'b05')).toMatchObject([first, second])
    settle(1, ada)
    await log.project()
    expect(await readPending(log.readModel, 'b05')).toMatchObject([first, second])
    settleAs(1, { userId: ben, state: 'live' }, { userId: ada, state: 'pushed', attempt: 2 })
    expect(await open()).toEqual([])
  })

  it('marks a reader in a resend, too', async () => {
    recordSend(log, 1, [ada])
    settle(1, ada)
    resend(1, 2, ada)
    log.append(`inbox-${ada}`, {
      type: 'NotificationRead',
      data: { userId: ada, notificationId: notificationIdAt(1) },
    })
    await log.project()
    const [delivery, ...others] = await readPending(log.readModel, 'b05')
    expect(delivery).toMatchObject({ attempt: 2, pending: [], active: [ada] })
    expect(others).toEqual([])
  })

  it('marks all pending attempts of a stopped campaign, keeps the first reason, and no other campaign', async () => {
    recordSend(log, 1, [ada, ben])
    recordSend(log, 2, [ada])
    settle(1, ada)
    resend(1, 2, ada)
    stop(1, 'CancelRequested')
    stop(1, 'CampaignRecalled')
    await log.project()
    const reasons = (await readPending(log.readModel, 'b05')).map(({ attempt, stopped }) => [attempt, stopped])
    expect(reasons).toEqual([
      [1, 'cancelled by an admin'],
      [1, undefined],
      [2, 'cancelled by an admin'],
    ])
    settle(1, ben)
    settleAs(1, { userId: ada, state: 'cancelled', attempt: 2 })
    stop(1, 'CancelRequested')
    expect(await open()).toEqual([{ notificationId: notificationIdAt(2), pending: [ada], active: [] }])
  })

  it('does not mark a resend that comes after a stop', async () => {
    recordSend(log, 1, [ada])
    settle(1, ada)
    stop(1, 'CancelRequested')
    resend(1, 2, ada)
    await log.project()
    expect((await readPending(log.readModel, 'b05')).map(({ stopped }) => stopped)).toEqual([undefined])
  })

  let authEvents = 0
  const applyAuth = async (...events: readonly AuthEvent[]): Promise<void> => {
    for (const event of events) {
      authEvents += 1
      const position = `${String(authEvents).padStart(16, '0')}:00`
      const envelope = {
        id: position,
        topic: 'auth',
        key: 'b05',
        position,
        at: '2026-01-01T00:00:00.000Z',
        ...event,
      } as const
      const partition = pendingDeliveriesProjection.partitionOf(envelope)
      if (partition === undefined) throw new Error('event skipped')
      const expected = await log.readModel.position('ledger', partition)
      const writes = await pendingDeliveriesProjection.apply(envelope, log.readModel)
      await log.readModel.commit({ projection: 'ledger', partition, expected, position, writes })
    }
  }

  it('keeps the accounts of a bucket that are deactivated now', async () => {
    const deactivate = (userId: UserId): AuthEvent => ({ type: 'UserDeactivated', data: { userId } })
    await applyAuth(...[ada, ben, eve, ada].map(deactivate))
    expect(await readDeactivated(log.readModel, 'b05')).toEqual(new Set([ada, ben, eve]))
    await applyAuth(
      { type: 'UserReactivated', data: { userId: ben } },
      { type: 'UserErased', data: { userId: eve, emailIndex: 'index' } },
    )
    expect(await readDeactivated(log.readModel, 'b05')).toEqual(new Set([ada]))
    expect(await readErased(log.readModel, 'b05')).toEqual(new Set([eve]))
  })

  it('keeps the latest 500 erased accounts of a bucket', async () => {
    const erased = users
      .slice(0, 502)
      .map((userId): AuthEvent => ({ type: 'UserErased', data: { userId, emailIndex: 'index' } }))
    await applyAuth(...erased)
    const kept = await readErased(log.readModel, 'b05')
    expect(kept).toEqual(new Set(users.slice(2, 502)))
  })
})
