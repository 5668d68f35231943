/** @module-tag verify */
import { setTimeout as pause } from 'node:timers/promises'
import {
  cancelNotification,
  countAudience,
  listRecipients,
  recallNotification,
  resendNotification,
  savePushToken,
  sendNotification,
} from '@portal/contracts/notifications/http'
import { deliveryStatuses, withdrawnTitle } from '@portal/contracts/notifications/notification'
import { type CampaignProgress, campaignProgressSchema } from '@portal/contracts/notifications/sent-item'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { until } from '@portal/platform/testing/until'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callRoute, logIn, seededEmail, type SignedIn, wholeInbox } from './testing/api-client.ts'
import { type DistributedPortal, type ProcessName, startDistributedPortal } from './testing/distributed-portal.ts'
import { caughtUp, connectInbox, type InboxClient } from './testing/inbox-client.ts'
import { admin as adminAccount, eventually, readDevMailbox, seedLearners } from './testing/portal-process.ts'
import { recordOutcomesInEventStoreDb } from './testing/recorded-outcomes.ts'
import { testEngines } from './testing/test-engines.ts'

/** More than one append can have, so the campaign is planned and distributed. */
const learnerCount = 12_000
/** Their tabs are open, and half of them were built before recalls. */
const connectedCount = 6

/** Learners with a device and without an open tab. */
const ownerCount = 12

let portal: DistributedPortal
let password = ''
let admin: SignedIn
const tabs: { readonly learner: SignedIn; readonly client: InboxClient }[] = []
/** Every frame that the admin's tab received. */
const frames: CampaignProgress[] = []
let adminTab: InboxClient | undefined

beforeAll(async () => {
  portal = await startDistributedPortal(testEngines(), {
    settings: { SEEN_GRACE_MS: '2000' },
    prepare: async (settings) => {
      password = await seedLearners(settings['DATA_DIR'] ?? '', learnerCount, settings)
    },
  })
  const { address } = portal
  await untilProjected()
  admin = await logIn(address, adminAccount.email, adminAccount.password)
  adminTab = await connectInbox({ address, token: admin.token })
  adminTab.socket.on('campaign:progress', (frame) => frames.push(campaignProgressSchema.parse(frame)))
  await eventually('all learners are projected', async () => (await countEveryone()) === learnerCount, 180_000)
  for (let n = 1; n <= connectedCount; n++) {
    const learner = await logIn(address, seededEmail(n * 2_000), password)
    const features = n % 2 === 0 ? { features: [] } : {}
    tabs.push({ learner, client: await connectInbox({ address, token: learner.token, ...features }) })
  }
}, 480_000)
afterAll(async () => {
  for (const { client } of tabs) client.close()
  adminTab?.close()
  expect(await portal.stop()).toBe(0)
}, 60_000)

/** Waits until the logins of the seeded learners are projected. Each attempt uses another one, against the rate limit. */
const untilProjected = async (): Promise<void> => {
  let n = learnerCount
  await eventually(
    'the last learners can log in',
    async () => {
      await pause(2_000)
      // Rejected until this login is projected; `eventually` bounds the attempts.
      return logIn(portal.address, seededEmail(n--), password).catch(() => undefined)
    },
    240_000,
  )
}

const audience = { everyone: true } as const
const countEveryone = async (): Promise<number> =>
  (await callRoute(portal.address, countAudience, { token: admin.token, body: { audience } })).count

/** Repeats the request until it is answered, as a client does after a lost connection. */
const untilAnswered = <Answer>(request: () => Promise<Answer>): Promise<Answer> => until(request, { timeoutMs: 60_000 })

const send = (key: string) =>
  untilAnswered(() =>
    callRoute(portal.address, sendNotification, {
      token: admin.token,
      headers: { [idempotencyKeyHeader]: key },
      body: { audience, title: 'The hall is closed', message: 'Text that must go', type: 'General' },
    }),
  )

/** Kills the processes with SIGKILL, shortly one after the other. The supervisor restarts them. */
const killDuring = async <Answer>(names: readonly ProcessName[], request: () => Promise<Answer>): Promise<Answer> => {
  const answering = request()
  const restarts: Promise<void>[] = []
  for (const name of names) {
    await pause(400)
    const pid = await portal.pidOf(name)
    await portal.kill(name)
    restarts.push(portal.waitForRestart(name, pid))
  }
  await Promise.all(restarts)
  return answering
}

const statusesOf = async (id: string) =>
  (await callRoute(portal.address, listRecipients, { token: admin.token, params: { id }, query: { limit: 1 } })).counts

const untilSettled = (id: string) =>
  eventually(
    'no recipient is pending',
    async () => {
      const counts = await untilAnswered(() => statusesOf(id))
      return counts.pending === 0 && counts
    },
    // Below the interval at which the worker reads all pending deliveries again: none may wait for it.
    50_000,
  )

const expectSoundFrames = (id: string) => {
  const received = frames.filter(({ notificationId }) => notificationId === id)
  expect(received.length).toBeGreaterThan(1)
  for (const frame of received) {
    const sum = deliveryStatuses.reduce((total, status) => total + frame[status], 0)
    expect([sum, frame.pending >= 0]).toEqual([frame.targeted, true])
  }
}

it('gives a send to 12,000 to each of them once, though processes are killed meanwhile', async () => {
  const { notificationId: id, targeted } = await killDuring(['delivery', 'notifications', 'gateway-1'], () =>
    send('one'),
  )
  expect(targeted).toBe(learnerCount)
  const counts = await untilSettled(id)
  // Kills delay some messages beyond the grace period. Their recipients count as in the inbox.
  expect([counts.live + counts.skipped, counts.live <= connectedCount]).toEqual([learnerCount, true])
  expect(await send('one')).toMatchObject({ notificationId: id, targeted: learnerCount })
  for (const { learner, client } of tabs) {
    await eventually('it has arrived', () => client.items().some(({ _id }) => _id === id))
    const inbox = await untilAnswered(() => wholeInbox(portal.address, learner.token))
    expect([inbox.items.map(({ _id }) => _id), inbox.unread, client.arrivals().get(id)]).toEqual([[id], 1, 1])
  }
  expectSoundFrames(id)
}, 240_000)

it('stops a send in the middle, and says how many have it', async () => {
  const cancel = (id: string) =>
    untilAnswered(() => callRoute(portal.address, cancelNotification, { token: admin.token, params: { id }, body: {} }))
  // No recipient gets an outcome before the cancel is recorded, however slow the machine is.
  const id = await portal.whileHanging('delivery', async () => {
    const { notificationId } = await send('two')
    await killDuring(['notifications'], () => cancel(notificationId))
    await killDuring(['delivery'], () => cancel(notificationId))
    return notificationId
  })
  const counts = await untilSettled(id)
  // An open tab that has shown it counts as live.
  expect([counts.cancelled + counts.live, counts.live <= connectedCount]).toEqual([learnerCount, true])
  expect(await cancel(id)).toMatchObject({ cancelled: counts.cancelled, alreadySent: counts.live })
  expectSoundFrames(id)
}, 240_000)

it('withdraws a send from every inbox, also from tabs that were built before recalls', async () => {
  const { notificationId: id } = await send('three')
  await untilSettled(id)
  const recall = () =>
    untilAnswered(() => callRoute(portal.address, recallNotification, { token: admin.token, params: { id }, body: {} }))
  await killDuring(['notifications', 'delivery', 'gateway-2'], recall)
  expect(await recall()).toMatchObject({ recalled: learnerCount })
  for (const { learner, client } of tabs) {
    const inbox = await untilAnswered(() => wholeInbox(portal.address, learner.token))
    expect(inbox.items.find(({ _id }) => _id === id)).toMatchObject({
      title: withdrawnTitle,
      message: '',
      isRead: true,
    })
    await caughtUp(client, inbox)
    expect([client.items(), client.unread()]).toEqual([inbox.items, inbox.unread])
    expect(inbox.items.filter(({ isRead }) => !isRead)).toHaveLength(inbox.unread)
  }
  expectSoundFrames(id)
}, 240_000)

it('pushes again to those whose push failed, though processes are killed meanwhile', async () => {
  const { address } = portal
  const owners: SignedIn[] = []
  for (let n = 1; n <= ownerCount; n++) owners.push(await logIn(address, seededEmail(n), password))
  for (const { token, userId } of owners)
    await callRoute(address, savePushToken, { token, body: { token: `device-of-${userId}` } })
  const userIds = owners.map(({ userId }) => userIdSchema.parse(userId))
  const failures = userIds.map((userId) => ({ userId, state: 'failed', reason: 'quota' }) as const)
  // The grace period begins when the delivery process learns of the send, and then the outcomes are recorded.
  const id = await portal.whileHanging('delivery', async () => {
    const { notificationId } = await callRoute(address, sendNotification, {
      token: admin.token,
      body: { userIds, title: 'Exam in room 12', message: 'Please bring a pen.', type: 'Exam' },
    })
    await recordOutcomesInEventStoreDb(portal.settings['EVENT_STORE_URL'] ?? '', notificationId, failures)
    return notificationId
  })
  expect(await untilSettled(id)).toMatchObject({ failed: ownerCount })

  const headers = { [idempotencyKeyHeader]: 'resend' }
  const resend = () =>
    untilAnswered(() =>
      callRoute(address, resendNotification, { token: admin.token, params: { id }, body: {}, headers }),
    )
  expect(await killDuring(['notifications', 'delivery'], resend)).toMatchObject({ resent: ownerCount })
  expect(await resend()).toMatchObject({ resent: ownerCount })
  expect(await untilSettled(id)).toMatchObject({ pushed: ownerCount, failed: 0 })
  const pushes = (await readDevMailbox(portal.dataDir)).filter(({ link }) => link?.endsWith(id))
  expect(new Set(pushes.map(({ to }) => to)).size).toBe(ownerCount)
  for (const { token } of owners) {
    const { items } = await wholeInbox(address, token)
    expect(items.filter(({ _id }) => _id === id)).toHaveLength(1)
  }
  expectSoundFrames(id)
}, 240_000)
