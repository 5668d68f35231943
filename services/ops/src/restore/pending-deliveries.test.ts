import { randomUUID } from 'node:crypto'
import { type NotificationId, notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import { openEventStore } from '@portal/platform/adapters/open-adapters'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { restoreBackup } from './restore-backup.ts'
import {
  configOf,
  eventsOf,
  neverAborted,
  newUsedFolder,
  type UsedFolder,
} from '@portal/ops/testing/restore/used-folder'

let used: UsedFolder
beforeEach(async () => {
  used = await newUsedFolder()
}, 60_000)
afterEach(() => used.remove())

/** Records a send without outcomes, as in a portal that stops right afterwards. The first recipient has read it. */
const sendAndEnd = async (): Promise<{
  readonly notificationId: NotificationId
  readonly userIds: readonly string[]
}> => {
  const registered = (await eventsOf(used.config.eventStoreUrl)).filter(({ type }) => type === 'UserRegistered')
  const userIds = registered.map(({ stream }) => userIdSchema.parse(stream.slice('user-'.length)))
  const [sentBy] = userIds
  if (sentBy === undefined) throw new Error('There are no users')
  const notificationId = notificationIdSchema.parse(randomUUID())
  const text = { notificationId, title: 'Pending', message: 'Text', type: 'General' } as const
  const decided = campaignDecider.decide(
    { type: 'SendCampaign', text, sentBy, userIds, knownUserIds: new Set(userIds) },
    campaignDecider.initial,
  )
  if (!decided.ok) throw new Error(decided.error.reason)
  const store = await openEventStore(used.config.eventStoreUrl)
  await store.append(
    `campaign-${notificationId}`,
    'no-stream',
    decided.value.map((event) => ({ id: randomUUID(), ...event })),
  )
  const read = { id: randomUUID(), type: 'NotificationRead', data: { userId: sentBy, notificationId } }
  await store.append(`inbox-${sentBy}`, 'any', [read])
  await store.close()
  return { notificationId, userIds }
}

/** Records a confirmed send that is due in an hour, as in a portal that stops right afterwards. */
const holdAndEnd = async (): Promise<NotificationId> => {
  const notificationId = notificationIdSchema.parse(randomUUID())
  const sentBy = userIdSchema.parse(randomUUID())
  const text = { notificationId, title: 'Held', message: 'Text', type: 'General' } as const
  const dueAt = new Date(Date.now() + 3_600_000).toISOString()
  const data = { text, sentBy, targeted: 1, buckets: ['b00'], planId: 'plan', dueAt }
  const store = await openEventStore(used.config.eventStoreUrl)
  await store.append(`campaign-${notificationId}`, 'no-stream', [{ id: randomUUID(), type: 'CampaignHeld', data }])
  await store.close()
  return notificationId
}

/** Records a send that is scheduled for that time. */
const scheduleAndEnd = async (sendAtMs: number): Promise<NotificationId> => {
  const notificationId = notificationIdSchema.parse(randomUUID())
  const sentBy = userIdSchema.parse(randomUUID())
  const text = { notificationId, title: 'Scheduled', message: 'Text', type: 'General' } as const
  const sendAt = new Date(sendAtMs).toISOString()
  const data = { text, userIds: [sentBy], says: '1 person', targeted: 1, sendAt, sentBy, fingerprint: 'scheduled' }
  const store = await openEventStore(used.config.eventStoreUrl)
  await store.append(`campaign-${notificationId}`, 'no-stream', [{ id: randomUUID(), type: 'SendScheduled', data }])
  await store.close()
  return notificationId
}

test('RS-7 deliveries pending in a backup expire once without a push, held sends are taken back, and those due since are missed, however often the restore is interrupted', async () => {
  const { notificationId, userIds } = await sendAndEnd()
  const held = await holdAndEnd()
  const [due, future] = [await scheduleAndEnd(Date.now()), await scheduleAndEnd(Date.now() + 3_600_000)]
  const backup = await used.backUp()
  const dataDir = await used.newTarget()
  const config = configOf(dataDir)
  const options = { config, backup, force: false, signal: neverAborted }
  const interrupted = restoreBackup({
    ...options,
    stamp: 'first',
    reached: (step) => {
      if (step === 'expired') throw new Error('interrupted')
    },
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  expect(await restoreBackup({ ...options, stamp: 'second' })).toMatchObject({ expired: 0 })
  const events = await eventsOf(config.eventStoreUrl)
  const typesOf = (id: NotificationId) =>
    events.filter(({ stream }) => stream === `campaign-${id}`).map(({ type }) => type)
  expect(typesOf(held)).toEqual(['CampaignHeld', 'CampaignTakenBack'])
  expect(typesOf(due)).toEqual(['SendScheduled', 'ScheduledSendMissed'])
  expect(typesOf(future)).toEqual(['SendScheduled'])
  const settled = events.filter(
    ({ stream, type }) => stream === `campaign-${notificationId}` && type === 'RecipientsSettled',
  )
  const outcomes = settled.flatMap(({ data }) => JSON.stringify(data).match(/"state":"[a-z]+"/g) ?? [])
  expect(outcomes.toSorted()).toEqual(['"state":"live"', ...userIds.slice(1).map(() => '"state":"skipped"')])
})
