import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { CampaignProgress } from '@portal/contracts/notifications/sent-item'
import { defaultPreferences, type Preferences } from '@portal/contracts/notifications/preferences'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { createDeliveryWorld } from '@portal/notifications/testing/delivery-world'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import type { PushMessage } from '@portal/platform/outbound/port'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCampaignProgress } from '../campaign/progress.ts'
import { recordSend } from '../../testing/memory-log.ts'
import { readPostponedDeliveries } from './pending-deliveries.ts'
import { campaignDecider } from '../campaign/decider.ts'
import { recordPostponed } from './record-outcomes.ts'
import { readPostponed } from './postponed-users.ts'

const ada = userIdAt(1)
const ben = userIdAt(2)
const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The world begins at midnight UTC. */
const untilSeven: Preferences = {
  ...defaultPreferences,
  quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC' },
}
const seven = '2026-01-01T07:00:00.000Z'

let preferences: Map<UserId, Preferences>
let world: ReturnType<typeof createDeliveryWorld>
let pushed: PushMessage[]

beforeEach(() => {
  preferences = new Map([[ada, untilSeven]])
  pushed = []
  world = createDeliveryWorld({ tokenOf: (userId) => `token ${userId}`, preferences, projectsAtOnce: true })
  world.answerPushes(async (tokens, message) => {
    pushed.push(message)
    return tokens.map(() => ({ kind: 'accepted' }))
  })
})
afterEach(() => world.close())

const project = async (): Promise<void> => {
  await world.inboxes.project()
  await world.projectPendingDeliveries()
}

const deliver = async (): Promise<void> => {
  await project()
  await world.deliver()
  await project()
}

/** Sends, and lets the grace period pass. */
const send = async (...to: readonly UserId[]): Promise<NotificationId> => {
  const id = world.send(...to)
  await project()
  world.later(6_000)
  await deliver()
  return id
}

const progressOf = async (id: NotificationId): Promise<CampaignProgress | undefined> =>
  (await createCampaignProgress(world.inboxes.readModel).progressOf([id]))[0]

const choose = async (userId: UserId, chosen: Preferences): Promise<void> => {
  preferences.set(userId, chosen)
  world.log.append(`preferences-${userId}`, { type: 'PreferencesChanged', data: { userId, preferences: chosen } })
  await project()
}

const titles = (): readonly string[] => pushed.map(({ title }) => title)

/** The pushes of all users are due half a minute later at the latest. */
const passQuietHours = async (): Promise<void> => {
  world.later(7 * hourMs + minuteMs)
  await deliver()
}

describe('a push in quiet hours', () => {
  it('waits until they end, and counts as pending until then', async () => {
    const id = await send(ada, ben)
    expect(titles()).toEqual(['Title 1'])
    expect(await progressOf(id)).toMatchObject({ pending: 1, pushed: 1, postponed: 1, postponedUntil: seven })
    world.later(6 * hourMs)
    await deliver()
    expect(titles()).toHaveLength(1)
    await passQuietHours()
    expect(titles()).toEqual(['Title 1', 'Title 1'])
    const progress = await progressOf(id)
    expect(progress).toMatchObject({ pending: 0, pushed: 2 })
    expect(progress?.postponed).toBeUndefined()
    expect(await readPostponed(world.pendingDeliveries.readModel, bucketKey(ada), 0)).toEqual([])
  })

  it('goes out with the others as one summary, without what the user has read', async () => {
    const read = await send(ada)
    const [second, third] = [await send(ada), await send(ada)]
    world.log.append(`inbox-${ada}`, { type: 'NotificationRead', data: { userId: ada, notificationId: read } })
    await deliver()
    expect(await world.statusOf(ada, read)).toMatchObject({ state: 'live' })
    await passQuietHours()
    expect(pushed).toMatchObject([
      { title: '2 new notifications', body: 'Title 3\nTitle 2', url: '/notification', type: 'General' },
    ])
    for (const id of [second, third])
      expect(await world.statusOf(ada, id)).toMatchObject({ state: 'pushed', reason: deliveryReasons.summary })
    await passQuietHours()
    expect(pushed).toHaveLength(1)
  })

  it('is not sent for what an open tab has shown', async () => {
    const id = await send(ada)
    world.seenBatcher.seen(ada, 1, world.inboxes.readModel.epoch)
    await world.flush()
    await project()
    expect(await progressOf(id)).toMatchObject({ pending: 0, live: 1 })
    await passQuietHours()
    expect(pushed).toEqual([])
  })

  it('is sent at once when the user turns quiet hours off, and waits longer when they are extended', async () => {
    await send(ada)
    await choose(ada, { ...untilSeven, quietHours: { from: '22:00', to: '09:00', timeZone: 'UTC' } })
    await deliver()
    await passQuietHours()
    expect(pushed).toEqual([])
    await choose(ada, defaultPreferences)
    world.recheckAll()
    await deliver()
    expect(titles()).toEqual(['Title 1'])
  })

  it('is canceled at once when an admin stops the delivery', async () => {
    const id = await send(ada)
    await world.cancel(id)
    await deliver()
    expect(await progressOf(id)).toMatchObject({ pending: 0, cancelled: 1 })
    await passQuietHours()
    expect(pushed).toEqual([])
  })

  it('is canceled at once when its user is deactivated, and stays so, while later ones are pushed again', async () => {
    const ids = [await send(ada, ben), await send(ada)]
    world.deactivate(ada)
    await deliver()
    for (const id of ids)
      expect(await world.statusOf(ada, id)).toMatchObject({
        state: 'cancelled',
        reason: deliveryReasons.accountDeactivated,
      })
    expect(await progressOf(ids[0] ?? notificationIdAt(1))).toMatchObject({ targeted: 2, pending: 0, pushed: 1 })
    expect(await readPostponed(world.pendingDeliveries.readModel, bucketKey(ada), 0)).toEqual([])
    world.reactivate(ada)
    await passQuietHours()
    expect(titles()).toEqual(['Title 1'])
    await send(ada)
    expect(titles()).toEqual(['Title 1', 'Title 3'])
  })

  it('shows once after a crash before it was recorded', async () => {
    await send(ada)
    await send(ada)
    world.later(7 * hourMs + minuteMs)
    await project()
    await world.deliver('refused')
    expect(pushed).toEqual([])
    world.answerPushes(async (tokens, message) => {
      pushed.push(message)
      if (pushed.length === 1) world.restart()
      return tokens.map(() => ({ kind: 'accepted' }))
    })
    world.later(minuteMs)
    await world.deliver('read-only')
    await deliver()
    expect(pushed).toHaveLength(2)
    expect(new Set(pushed.map(({ notificationId }) => notificationId)).size).toBe(1)
  })

  it('waits for the same hour of the clock when the clock is set back by a day', async () => {
    await send(ada)
    world.setClock('machine', -24 * hourMs)
    world.later(minuteMs)
    await deliver()
    await passQuietHours()
    expect(titles()).toEqual(['Title 1'])
  })

  it('is retried while the push service is unavailable', async () => {
    const id = await send(ada)
    world.answerPushes(async (tokens) => tokens.map(() => ({ kind: 'unavailable', reason: 'busy' })))
    await passQuietHours()
    expect(await progressOf(id)).toMatchObject({ pending: 1, postponed: 1 })
    world.answerPushes(async (tokens, message) => {
      pushed.push(message)
      return tokens.map(() => ({ kind: 'accepted' }))
    })
    world.later(minuteMs)
    await deliver()
    expect(titles()).toEqual(['Title 1'])
  })

  it('reaches all users of a bucket, also those who would be due at the same moment', async () => {
    const sameMoment = Array.from({ length: 30_000 }, (_, n) => userIdAt(30_000 * n + 1_000))
    const crowd = sameMoment.filter((userId) => bucketKey(userId) === bucketKey(ada)).slice(0, 450)
    for (const userId of crowd) preferences.set(userId, untilSeven)
    const id = await send(...crowd)
    expect(await progressOf(id)).toMatchObject({ postponed: crowd.length })
    await passQuietHours()
    expect(await progressOf(id)).toMatchObject({ pushed: crowd.length })
  })

  it('keeps waiting while its user reads others, and nothing more is recorded about it', async () => {
    const [first, second] = [await send(ada), await send(ada)]
    await send(ada)
    const postponed = () => world.log.events.filter(({ type }) => type === 'RecipientsPostponed').length
    expect(postponed()).toBe(3)
    for (const notificationId of [first, second]) {
      world.log.append(`inbox-${ada}`, { type: 'NotificationRead', data: { userId: ada, notificationId } })
      await deliver()
      expect(await world.statusOf(ada, notificationId)).toMatchObject({ state: 'live' })
    }
    expect(postponed()).toBe(3)
    await passQuietHours()
    expect(titles()).toEqual(['Title 3'])
  })

  it('waits again with the others after a change that leaves the quiet hours as they are', async () => {
    await send(ada)
    await send(ada)
    for (const Exam of [false, true]) {
      await choose(ada, { ...untilSeven, email: { ...untilSeven.email, Exam } })
      world.later(minuteMs)
      await deliver()
    }
    await passQuietHours()
    expect(titles()).toEqual(['2 new notifications'])
  })
})

it('what waits is read, also if it is more than can be read at once', async () => {
  const attempts = Array.from({ length: 500 }, (_, n) => n)
  const users = [ada, ben, userIdAt(3)].map((userId, n) => ({
    userId,
    dueAtMs: n,
    until: seven,
    attempts: attempts.map((each) => notificationIdAt(500 * n + each)),
  }))
  const { readModel } = world.pendingDeliveries
  expect(await readPostponedDeliveries(readModel, bucketKey(ada), users)).toEqual([])
})

it('a push that cannot be decided does not stop those to others', async () => {
  const other = Array.from({ length: 1_000 }, (_, n) => userIdAt(n + 10)).find(
    (userId) => bucketKey(userId) === bucketKey(ada),
  )
  if (other === undefined) throw new Error('no other user in the bucket')
  preferences.set(other, untilSeven)
  const id = await send(ada)
  await send(other)
  world.later(7 * hourMs + minuteMs)
  // Without the text in its memory.
  world.restart()
  world.recall(id)
  // The text is gone from the inboxes, and the pending deliveries do not know yet.
  await world.inboxes.project()
  await world.deliver()
  expect(titles()).toEqual(['Title 2'])
  await deliver()
  expect(await world.statusOf(ada, id)).toMatchObject({ state: 'cancelled' })
})

describe('a push that has waited for longer than PUSH_MAX_AGE', () => {
  beforeEach(async () => {
    await world.close()
    world = createDeliveryWorld({
      tokenOf: (userId) => userId,
      preferences,
      projectsAtOnce: true,
      pushMaxAgeMs: hourMs,
    })
    world.answerPushes(async (tokens, message) => {
      pushed.push(message)
      return tokens.map(() => ({ kind: 'accepted' }))
    })
  })

  it('is not too old, also after its user has changed other preferences', async () => {
    await send(ada)
    world.later(5 * hourMs)
    await choose(ada, { ...untilSeven, email: { ...untilSeven.email, Exam: false } })
    await deliver()
    world.later(2 * hourMs)
    await deliver()
    expect(titles()).toEqual(['Title 1'])
  })

  it('is not too old when the clock is set forward by a day', async () => {
    await send(ada)
    world.setClock('machine', 24 * hourMs)
    world.later(minuteMs)
    await deliver()
    await passQuietHours()
    expect(titles()).toEqual(['Title 1'])
  })

  it('is too old an hour after it was due', async () => {
    const id = await send(ada)
    world.later(hourMs + minuteMs)
    await passQuietHours()
    expect(await world.statusOf(ada, id)).toMatchObject({ state: 'skipped', reason: deliveryReasons.expired })
  })
})

describe('many pushes in a short time', () => {
  it('become a summary from the sixth on', async () => {
    for (let n = 0; n < 8; n++) await send(ben)
    expect(titles()).toEqual([1, 2, 3, 4, 5].map((n) => `Title ${n}`))
    world.later(11 * minuteMs)
    await deliver()
    expect(titles().slice(5)).toEqual(['3 new notifications'])
  })

  it('are counted across a restart', async () => {
    for (let n = 0; n < 5; n++) await send(ben)
    world.restart()
    await send(ben)
    expect(titles()).toHaveLength(5)
  })
})

describe('a push of a type that the user has turned off', () => {
  beforeEach(() => void preferences.set(ben, { ...untilSeven, push: { ...defaultPreferences.push, General: false } }))

  it('is skipped with the reason', async () => {
    const id = await send(ben)
    expect(pushed).toEqual([])
    expect(await world.statusOf(ben, id)).toMatchObject({ state: 'skipped', reason: deliveryReasons.turnedOff })
  })

  it('is sent if it is urgent, also in quiet hours', async () => {
    recordSend(world.log, 9, [ben], { isUrgent: true })
    await project()
    world.later(6_000)
    await deliver()
    expect(titles()).toEqual(['Title 9'])
  })
})

it('very many recipients who wait, each until another time, are recorded in appends that the event store takes', async () => {
  const eventStore = openSqliteEventStore({ path: ':memory:' })
  const users = Array.from({ length: 1_500 }, (_, n) => userIdAt(n))
  const delivery = { notificationId: notificationIdAt(1), attempt: 1 }
  await recordPostponed(eventStore, delivery, new Map(users.map((userId, n) => [userId, n])))
  const crowd = Array.from({ length: 30_000 }, (_, n) => [userIdAt(n), 0] as const)
  await recordPostponed(eventStore, delivery, new Map(crowd))
  let waiting = 0
  for await (const recorded of eventStore.read(`campaign-${delivery.notificationId}`)) {
    const { type, data } = campaignDecider.parse(recorded)
    if (type === 'RecipientsPostponed') for (const { userIds } of data.recipients) waiting += userIds.length
  }
  expect(waiting).toBe(users.length + crowd.length)
  await eventStore.close()
})
