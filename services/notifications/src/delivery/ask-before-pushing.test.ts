import { savePushToken, sendNotification } from '@portal/contracts/notifications/http'
import type { UserId } from '@portal/contracts/shared/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Harness, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { until } from '@portal/platform/testing/until'

/** Simulated gateways in other processes: their reports, and the requests they received. */
let known: Map<UserId, { readonly seq: number; readonly epoch: string }>
let requested: UserId[]
let harness: Harness
let admin: Person
let ada: Person
let ben: Person

beforeEach(async () => {
  known = new Map()
  requested = []
  const knownOf = (userIds: readonly UserId[]) =>
    userIds.flatMap((userId) => {
      const last = known.get(userId)
      return last === undefined ? [] : [[userId, last.seq, last.epoch] as const]
    })
  harness = await startHarness({
    timings: { graceMs: 50 },
    seenSource: {
      upTo: async (userIds) => {
        requested.push(...userIds)
        return knownOf(userIds)
      },
      latest: async () => [],
    },
  })
  ;({ admin, ada, ben } = await harness.cast())
})
afterEach(() => harness.stop())

const reportShown = ({ userId }: Person, seq: number, epoch = harness.context.readModel.epoch) =>
  known.set(userId, { seq, epoch })

const settledSend = async () => {
  const userIds = [ada.userId, ben.userId]
  const body = { userIds, title: 'Fees', message: 'Are due' }
  const { notificationId } = await harness.call(sendNotification, { as: admin, body })
  return until(async () => {
    const [progress] = await harness.context.service.progress.progressOf([notificationId])
    expect(progress).toMatchObject({ pending: 0 })
    return progress
  })
}

it('does not push what a tab has shown, although its report was lost', async () => {
  for (const person of [ada, ben])
    await harness.call(savePushToken, { as: person, body: { token: `token-${person.userId}` } })
  reportShown(ada, 1)
  expect(await settledSend()).toMatchObject({ live: 1, pushed: 1 })
  expect(harness.push.pushedTokens()).toEqual([`token-${ben.userId}`])
  expect(requested).toEqual(expect.arrayContaining([ada.userId, ben.userId]))
})

it('counts a notification as seen for a user without a device', async () => {
  reportShown(ada, 1)
  expect(await settledSend()).toMatchObject({ live: 1, skipped: 1 })
})

it('ignores reports of earlier notifications', async () => {
  await harness.call(savePushToken, { as: ada, body: { token: 'token-of-ada' } })
  reportShown(ada, 1)
  await settledSend()
  expect(await settledSend()).toMatchObject({ live: 0, pushed: 1, skipped: 1 })
})

it('ignores reports of another epoch', async () => {
  await harness.call(savePushToken, { as: ada, body: { token: 'token-of-ada' } })
  await harness.call(savePushToken, { as: ben, body: { token: 'token-of-ben' } })
  reportShown(ada, 1_000, 'an-inbox-that-is-gone')
  // As gateways of earlier releases report.
  reportShown(ben, 1_000, '')
  expect(await settledSend()).toMatchObject({ live: 0, pushed: 2 })
})
