import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import {
  getCampaign,
  listRecentNotifications,
  resendNotification,
  sendNotification,
} from '@portal/contracts/notifications/http'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { recordOutcomes } from '@portal/notifications/delivery/record-outcomes'
import { decidedSend } from '@portal/notifications/testing/memory-log'
import { notificationIdAt, sessionIdAt, userIdAt } from '@portal/notifications/testing/samples'
import type { EventStore } from '@portal/platform/event-store/port'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { v7 as newId } from 'uuid'
import { callRoute } from '../testing/api-client.ts'
import { eventually } from '../testing/portal-process.ts'
import { type BenchPortal, startBenchPortal } from './bench-portal.ts'
import { type Comparison, nowMs, quantile, type Scale } from './measure.ts'

/** A resend costs as much as a send to as many people, although its campaign has many recipients. */
const failedCount = 100
const sendsPerRound = 5
/** Shorter than anyone reads the page before the click. */
const pageMs = 500

/** The ids are not those of seeded learners, because a resend needs no account. */
const recipientsOf = (scale: Scale): readonly UserId[] =>
  Array.from({ length: scale.resendRecipients }, (_, n) => userIdAt(n + 1))

const eventsPerAppend = 20

const recordCampaign = async (store: EventStore, n: number, scale: Scale): Promise<void> => {
  const recipients = recipientsOf(scale)
  const { stream, events } = decidedSend(n, recipients)
  for (let from = 0; from < events.length; from += eventsPerAppend) {
    const some = events.slice(from, from + eventsPerAppend)
    await store.append(
      stream,
      'any',
      some.map((event) => ({ id: newId(), ...event })),
    )
  }
  const step = Math.floor(recipients.length / failedCount)
  const outcomes = recipients.map((userId, index): DeliveryOutcome =>
    index % step === 0 ? { userId, state: 'failed', reason: 'quota' } : { userId, state: 'pushed' },
  )
  await recordOutcomes(store, notificationIdAt(n), outcomes)
}

/** Records devices. Their tokens need not be valid, because nothing is pushed during the measurement. */
const recordDevices = async (store: EventStore, scale: Scale): Promise<void> => {
  const recipients = recipientsOf(scale)
  const step = Math.floor(recipients.length / failedCount)
  for (const [index, userId] of recipients.entries()) {
    if (index % step !== 0) continue
    const data = { tokenIndex: `token-${index}`, userId, sessionId: sessionIdAt(index), token: 'encrypted' }
    await store.append(`device-token-${index}`, 'any', [{ id: newId(), type: 'PushTokenRegistered', data }])
  }
}

const prepare = async (dataDir: string, scale: Scale): Promise<void> => {
  const store = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  for (let round = 1; round <= scale.rounds; round++) await recordCampaign(store, round, scale)
  await recordDevices(store, scale)
  await store.close()
}

const failedIn = async ({ address, adminToken: token }: BenchPortal, id: NotificationId): Promise<number> => {
  const query = { page: 1, limit: 100 }
  const { notifications } = await callRoute(address, listRecentNotifications, { token, query })
  const sent = notifications.find((one) => one._id === id)
  return sent && 'progress' in sent ? sent.progress.failed : 0
}

export const benchResend = async (scale: Scale): Promise<Comparison[]> => {
  const portal = await startBenchPortal(failedCount, {
    prepare: (dataDir) => prepare(dataDir, scale),
    startTimeoutMs: 240_000,
    settings: { SEEN_GRACE_MS: '600000' },
  })
  const { address, adminToken: token } = portal
  const userIds = [...portal.userIds.values()].slice(0, failedCount)
  const body = { userIds, title: 'Fees are due', message: 'The second installment is due on Friday.' }
  const sends: number[] = []
  const resends: number[] = []
  for (let round = 1; round <= scale.rounds; round++) {
    const id = notificationIdAt(round)
    await eventually('the campaign is projected', async () => (await failedIn(portal, id)) >= failedCount, 120_000)
    const taken: number[] = []
    for (let n = 0; n < sendsPerRound; n++) {
      const start = nowMs()
      await callRoute(address, sendNotification, { token, body })
      taken.push(nowMs() - start)
    }
    sends.push(quantile(taken, 0.5))
    // As in the console, where the admin resends on the page of the campaign.
    await callRoute(address, getCampaign, { token, params: { id } })
    await pause(pageMs)
    const start = nowMs()
    await callRoute(address, resendNotification, { token, params: { id }, body: {} })
    resends.push(nowMs() - start)
  }
  await portal.stop()
  return [
    {
      name: `resend to ${failedCount} of ${scale.resendRecipients.toLocaleString('en')}`,
      limitName: `send to ${userIds.length}`,
      unit: 'ms',
      portal: resends,
      limit: sends,
      reach: { atMost: 1.5 },
    },
  ]
}
