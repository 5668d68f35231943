import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { createPasswordHashing } from '@portal/auth/passwords/password-hashing'
import { registrationDecider } from '@portal/auth/registration/decider'
import { sessionDecider } from '@portal/auth/session/decider'
import { allBucketKeys, bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import { deviceDecider } from '@portal/notifications/device/decider'
import { recordOutcomes, recordPostponed } from '@portal/notifications/delivery/record-outcomes'
import { unseenMailDecider } from '@portal/notifications/unseen-mail/decider'
import { openPortal as openServices } from '@portal/standalone/services'
import { noObservability } from '@portal/platform/observability/observability'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { readLogToEnd } from '@portal/platform/event-store/read-log-to-end'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { loadConfig } from '@portal/platform/settings/config'
import { createLogger } from '@portal/platform/observability/logger'
import { createPortalProcess } from '@portal/platform/runtime/portal-process'
import { hostServices } from '@portal/platform/runtime/run-services'
import { stopInOrder } from '@portal/platform/runtime/shutdown'
import { recordOperation } from '@portal/platform/operations/record-operation'
import { handleCommand } from '@portal/platform/decider/handle-command'
import { systemClockAndIds as clockAndIds } from '@portal/platform/decider/clock-and-ids'
import { seedLearners } from '@portal/sample-data/people'
import { golden, seededCount, seededPassword } from './drive-accounts.ts'

/** Cost below today's, so that the first login hashes the password again. */
const formerCost = { memoryCost: 1_024, timeCost: 1, parallelism: 1 } as const
const stepTimeoutMs = 30_000

/** What no command of the portal records: runs in this process, on a data folder that no other process uses. */
const withPortal = async <T>(
  dataDir: string,
  work: (parts: Awaited<ReturnType<typeof openPortal>>) => Promise<T>,
): Promise<T> => {
  const portal = await openPortal(dataDir)
  try {
    return await work(portal)
  } finally {
    await stopInOrder(portal.stopping, stepTimeoutMs, portal.logger)
  }
}

const openPortal = async (dataDir: string) => {
  const logger = createLogger({ level: 'warn' })
  const config = loadConfig({ DATA_DIR: dataDir })
  const observability = noObservability()
  const process = createPortalProcess({ name: 'portal', topology: 'standalone', config, logger, observability })
  const { ports, built } = await openServices(process)
  const hosted = await hostServices(process, ports, built.services)
  await hosted.start()
  return { ports, built, logger, stopping: process.stopSteps }
}

/** Learners whose passwords an earlier release has hashed. */
export const seedAtFormerCost = (dataDir: string): Promise<void> =>
  withPortal(dataDir, async ({ ports }) => {
    const passwords = createPasswordHashing({ cost: formerCost })
    const universityNames = ['Example University']
    await seedLearners({ ...ports, passwords }, { count: seededCount, password: seededPassword, universityNames })
    await passwords.close()
  })

export const eraseUser = (dataDir: string, userId: string): Promise<void> =>
  withPortal(dataDir, async ({ built }) => {
    const outcome = await built.auth.eraseUser(userIdSchema.parse(userId))
    if (outcome !== 'erased') throw new Error(`${golden.erased.email}: ${outcome}`)
  })

/** A restore and a move record themselves in the store that they fill, which is another one. */
export const recordCopies = async (dataDir: string): Promise<void> => {
  const config = loadConfig({ DATA_DIR: dataDir })
  const by = 'golden'
  const madeAt = clockAndIds.now().toISOString()
  const restored = { file: 'portal-20261122t190838.backup', madeAt, events: 100, erased: 1 }
  const moved = { from: 'sqlite:events.db', to: 'esdb://localhost:2113', events: 100 }
  await recordOperation(config, { type: 'BackupRestored', data: { by, what: restored } })
  await recordOperation(config, { type: 'LogMoved', data: { by, what: moved } })
}

export type OfflineSends = { readonly failed: NotificationId; readonly cancelled: NotificationId }

/**
 * What needs a push provider that rejects, more recipients than a folder should have, or a day: a send whose push waited and failed, an
 * e-mail about it, and a planned campaign that was cancelled before any recipient got it. No portal may run, because it would distribute the
 * plan.
 */
export const recordOfflineSends = async (
  dataDir: string,
  people: { readonly sentBy: string; readonly recipient: string },
): Promise<OfflineSends> => {
  const [sentBy, userId] = [userIdSchema.parse(people.sentBy), userIdSchema.parse(people.recipient)]
  const eventStore = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  const newId = () => notificationIdSchema.parse(randomUUID())
  const [failed, cancelled] = [newId(), newId()]
  const contentOf = (notificationId: NotificationId, title: string) => ({
    text: { notificationId, title, message: `The text of ${title}`, type: 'General' as const, isUrgent: true as const },
    sentBy,
  })
  const decide = async (id: NotificationId, command: Parameters<typeof campaignDecider.decide>[0]) => {
    const decided = await handleCommand(eventStore, campaignDecider, id, command, { eventId: () => randomUUID() })
    if (!decided.ok) throw new Error(`${command.type}: ${decided.error.reason}`)
  }
  try {
    const userIds = [userId]
    const content = contentOf(failed, 'Push failed')
    await decide(failed, { type: 'SendCampaign', ...content, userIds, knownUserIds: new Set(userIds) })
    await recordPostponed(eventStore, { notificationId: failed, attempt: 1 }, new Map([[userId, Date.now()]]))
    await recordOutcomes(eventStore, failed, [{ userId, state: 'failed', reason: 'quota' }])
    const mailed = { type: 'RecordUnseenMail', userId, notificationIds: [failed] } as const
    await handleCommand(eventStore, unseenMailDecider, userId, mailed, { eventId: () => randomUUID() })

    const planId = randomUUID()
    const bucket = bucketKey(userId)
    const planned = { type: 'RecipientsPlanned', data: { planId, recipients: [{ bucket, userIds }] } }
    await eventStore.append(streamOf('campaign', cancelled), 'no-stream', [{ id: randomUUID(), ...planned }])
    const plan = { ...contentOf(cancelled, 'Cancelled plan'), planId, targeted: 1, buckets: [bucket] }
    await decide(cancelled, { type: 'PlanCampaign', ...plan })
    await decide(cancelled, { type: 'CancelCampaign', notificationId: cancelled, requestedBy: sentBy })

    const missed = newId()
    const scheduled = { ...contentOf(missed, 'Missed'), userIds, says: 'Chosen by hand: 1 person', targeted: 1 }
    const nowMs = Date.now()
    const sendAt = new Date(nowMs + 86_400_000).toISOString()
    await decide(missed, { type: 'ScheduleSend', ...scheduled, sendAt, nowMs, fingerprint: 'scheduled' })
    await decide(missed, { type: 'MissScheduledSend', notificationId: missed, version: 1, reason: 'late' })
    return { failed, cancelled }
  } finally {
    await eventStore.close()
  }
}

/** A session that is used again hours after its log-in. */
export const recordSessionUse = async (dataDir: string, userId: string): Promise<void> => {
  const eventStore = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  try {
    for await (const { type, data } of readLogToEnd(eventStore, 'start', { categories: [sessionDecider.category] })) {
      const event = sessionDecider.parse({ type, data })
      if (event.type !== 'SessionStarted' || event.data.userId !== userId) continue
      const { sessionId } = event.data
      const usedAt = clockAndIds.now()
      const command = { type: 'UseSession', sessionId, userId: event.data.userId, usedAt } as const
      await handleCommand(eventStore, sessionDecider, sessionId, command, { eventId: () => randomUUID() })
    }
  } finally {
    await eventStore.close()
  }
}

/** A browser that is started on another day than the one on which it registered. */
export const recordTokenUse = async (dataDir: string, userId: string): Promise<void> => {
  const eventStore = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  try {
    for await (const { type, data } of readLogToEnd(eventStore, 'start', { categories: [deviceDecider.category] })) {
      const event = deviceDecider.parse({ type, data })
      if (event.type !== 'PushTokenRegistered' || event.data.userId !== userId) continue
      const { deviceName = 'A browser', ...registration } = event.data
      const command = {
        type: 'RegisterToken',
        ...registration,
        deviceName,
        isKept: true,
        isFirstUseOfDay: true,
      } as const
      await handleCommand(eventStore, deviceDecider, event.data.tokenIndex, command, { eventId: () => randomUUID() })
    }
  } finally {
    await eventStore.close()
  }
}

/**
 * A recorded event that no projection can apply, as a bug would leave it: one recipient is not an id. It lies in a bucket of its
 * own, because later messages of the bucket wait behind it.
 */
export const recordUnapplicableEvent = (dataDir: string, userIds: readonly string[]): Promise<void> =>
  withPortal(dataDir, async ({ ports }) => {
    const used = new Set(userIds.map(bucketKey))
    const bucket = allBucketKeys.find((key) => !used.has(key))
    const notificationId = randomUUID()
    const text = { notificationId, title: 'Unapplicable', message: 'For a dead letter', type: 'General' }
    const data = { text, recipients: [{ bucket, userIds: ['not-an-id'] }] }
    const stream = streamOf('campaign', notificationId)
    await ports.eventStore.append(stream, 'no-stream', [{ id: randomUUID(), type: 'RecipientsTargeted', data }])
  })

/** What takes a day. */
export const recordExpiredRegistration = async (dataDir: string): Promise<void> => {
  const eventStore = openSqliteEventStore({ path: join(dataDir, 'events.db') })
  const emailIndex = 'index of an address that nobody proved'
  const userId = userIdSchema.parse(randomUUID())
  const command = { type: 'ExpireRegistration', userId, emailIndex, now: clockAndIds.now() } as const
  await handleCommand(eventStore, registrationDecider, emailIndex, command, { eventId: () => randomUUID() })
  await eventStore.close()
}
