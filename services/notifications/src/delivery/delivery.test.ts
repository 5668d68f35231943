import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { readNotification, savePushToken, sendNotification } from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { campaignDecider } from '../campaign/decider.ts'
import { tokensRef } from '../device/projection.ts'
import { type Harness, type HarnessOptions, startHarness } from '@portal/notifications/testing/harness'
import type { Person } from '@portal/notifications/testing/people'
import { until } from '@portal/platform/testing/until'

let harness: Harness
let admin: Person
let ada: Person
let ben: Person

const newPeople = async () => {
  harness.push.calls.length = 0
  harness.push.answer = () => ({ kind: 'accepted' })
  ;({ admin, ada, ben } = await harness.cast())
}

/** One context for all tests of a group, with new users for each test. */
const shareContext = (options: HarnessOptions = {}) => {
  beforeAll(async () => {
    harness = await startHarness(options)
  })
  beforeEach(newPeople)
  afterAll(() => harness.stop())
}

const withOwnContext = async (options: HarnessOptions, test: () => Promise<void>): Promise<void> => {
  harness = await startHarness(options)
  try {
    await newPeople()
    await test()
  } finally {
    await harness.stop()
  }
}

const send = async (...people: readonly Person[]): Promise<NotificationId> => {
  const userIds = people.map(({ userId }) => userId)
  const body = { userIds, title: 'Fees', message: 'Are due' }
  return (await harness.call(sendNotification, { as: admin, body })).notificationId
}

const register = async (person: Person, token: string): Promise<void> => {
  await harness.call(savePushToken, { as: person, body: { token } })
  // The response does not wait longer than two seconds for the projection. The grace period of these tests is shorter.
  await harness.untilProjected()
}

/** A tab has shown it, in the current epoch. */
const seen = ({ userId }: Person, seq: number): void =>
  harness.context.service.seen(userId, seq, harness.context.readModel.epoch)

const progressOf = async (notificationId: NotificationId): Promise<CampaignProgress> => {
  const [progress] = await harness.context.service.progress.progressOf([notificationId])
  if (!progress) throw new Error('no such campaign')
  const { pending, live, pushed, skipped, failed, cancelled, targeted } = progress
  expect(pending + live + pushed + skipped + failed + cancelled).toBe(targeted)
  return progress
}

const whenSettled = (notificationId: NotificationId) =>
  until(async () => {
    const progress = await progressOf(notificationId)
    expect(progress.pending).toBe(0)
    return progress
  })

const short: HarnessOptions = { timings: { graceMs: 20 } }

it('nothing is pushed within the grace period, and everyone is pending', () =>
  withOwnContext({}, async () => {
    await register(ada, 'token-a')
    expect(await progressOf(await send(ada, ben))).toMatchObject({ targeted: 2, pending: 2, read: 0 })
    await harness.untilProjected()
    expect(harness.push.calls).toEqual([])
  }))

it('settles every recipient of a large campaign, and records each outcome once', () =>
  // All of them are due together.
  withOwnContext({ timings: { graceMs: 1_000 } }, async () => {
    const [, ...crowd] = await harness.people(3_000)
    const notificationId = await send(...crowd)
    expect(await whenSettled(notificationId)).toMatchObject({ skipped: crowd.length })
    let recorded = 0
    for await (const { type, data } of harness.context.eventStore.read(`campaign-${notificationId}`)) {
      const event = campaignDecider.parse({ type, data })
      if (event.type !== 'RecipientsSettled') continue
      recorded += event.data.settled.reduce((sum, { outcomes }) => sum + outcomes.length, 0)
    }
    expect(recorded).toBe(crowd.length)
  }))

describe('after the grace period', () => {
  shareContext(short)

  it('a notification is pushed to every device of recipients who have not seen it, and skipped for those without one', async () => {
    await register(ada, 'token-1')
    await register(ada, 'token-2')
    const notificationId = await send(ada, ben)
    expect(await whenSettled(notificationId)).toMatchObject({ pushed: 1, skipped: 1 })
    expect(harness.push.pushedTokens().toSorted()).toEqual(['token-1', 'token-2'])
    expect(harness.push.calls[0]?.message).toEqual({
      notificationId,
      title: 'Fees',
      body: 'Are due',
      url: `/notification/${notificationId}`,
      type: 'System Maintenance',
    })
  })

  it('a token that the provider reports as unregistered is removed', async () => {
    harness.push.answer = () => ({ kind: 'unregistered' })
    await register(ada, 'gone')
    expect(await whenSettled(await send(ada))).toMatchObject({ skipped: 1 })
    await harness.untilProjected()
    harness.push.answer = () => ({ kind: 'accepted' })
    expect(await whenSettled(await send(ada))).toMatchObject({ skipped: 1 })
    expect(harness.push.calls).toHaveLength(1)
  })
})

describe('a recipient who has seen it is not pushed', () => {
  const expectLiveAfter = async (see: (notificationId: NotificationId) => Promise<unknown>) => {
    await withOwnContext({}, async () => {
      await register(ada, 'token-a')
      const notificationId = await send(ada)
      await see(notificationId)
      await harness.untilProjected()
      await harness.restart(short)
      expect(await whenSettled(notificationId)).toMatchObject({ live: 1, pushed: 0 })
      expect(harness.push.calls).toEqual([])
    })
  }

  it('reported right before shutdown', () => expectLiveAfter(async () => seen(ada, 1)))

  it('read', () =>
    expectLiveAfter((notificationId) => harness.call(readNotification, { as: ada, params: { id: notificationId } })))
})

describe('push tokens', () => {
  shareContext(short)

  it('are removed when the session that registered them ends', async () => {
    await register(ada, 'token-a')
    const { userId, sessionId } = ada
    await harness.record(ada, { type: 'SessionEnded', data: { userId, sessionId, reason: 'logged-out' } })
    const { readModel } = harness.context
    await until(async () => expect(await readModel.get(tokensRef(userId))).toBeUndefined())
    expect(await whenSettled(await send(ada))).toMatchObject({ skipped: 1 })
  })

  it('are never stored in clear text in an event or a read model', async () => {
    await register(ada, 'a-very-secret-token')
    await harness.untilProjected()
    const events = []
    for await (const event of harness.context.eventStore.subscribe('start', 'all', new AbortController().signal)) {
      if (event.kind === 'caught-up') break
      events.push(event)
    }
    expect(JSON.stringify(events)).not.toContain('a-very-secret-token')
  })
})

describe('a worker after a pause', () => {
  it('resumes with pending recipients and pushes to none twice', () =>
    withOwnContext({ ...short, delivers: false }, async () => {
      await register(ada, 'token-a')
      await register(ben, 'token-b')
      const [first, second] = [await send(ada, ben), await send(ada)]
      await harness.restart({ delivers: true })
      expect(await whenSettled(first)).toMatchObject({ pushed: 2 })
      expect(await whenSettled(second)).toMatchObject({ pushed: 1 })
      await harness.untilProjected()
      await harness.restart({ delivers: true })
      // What looked pending after the restart is due before this campaign.
      expect(await whenSettled(await send(ben))).toMatchObject({ pushed: 1 })
      expect(harness.push.pushedTokens().toSorted()).toEqual(['token-a', 'token-a', 'token-b', 'token-b'])
    }))

  it('cancels pending deliveries of an account erased meanwhile', () =>
    withOwnContext({ ...short, delivers: false }, async () => {
      await register(ada, 'token-a')
      const notificationId = await send(ada, ben)
      await harness.record(ada, { type: 'UserErased', data: { userId: ada.userId, emailIndex: 'index' } })
      await harness.restart({ delivers: true })
      expect(await whenSettled(notificationId)).toMatchObject({ cancelled: 1, skipped: 1 })
      expect(harness.push.calls).toEqual([])
    }))

  it('cancels what is pending for a deactivated account, and pushes later notifications once it is active again', () =>
    withOwnContext({ ...short, delivers: false }, async () => {
      await register(ada, 'token-a')
      const notificationId = await send(ada, ben)
      await harness.record(ada, { type: 'UserDeactivated', data: { userId: ada.userId } })
      await harness.restart({ delivers: true })
      expect(await whenSettled(notificationId)).toMatchObject({ cancelled: 1, skipped: 1 })
      await harness.record(ada, { type: 'UserReactivated', data: { userId: ada.userId } })
      expect(await whenSettled(await send(ada))).toMatchObject({ pushed: 1 })
      expect(harness.push.calls).toHaveLength(1)
    }))

  it('rebuilds lost pending deliveries from the log, and pushes nothing that has an outcome', () =>
    withOwnContext(short, async () => {
      await register(ada, 'token-a')
      await whenSettled(await send(ada))
      await harness.restart({ delivers: false })
      const open = await send(ada)
      await harness.restart({ delivers: true, losesPendingDeliveries: true })
      expect(await whenSettled(open)).toMatchObject({ pushed: 1 })
      await whenSettled(await send(ben))
      expect(harness.push.calls).toHaveLength(2)
    }))
})
