import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryOutcome, NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import { defaultPreferences } from '@portal/contracts/notifications/preferences'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { EventStore } from '@portal/platform/event-store/port'
import { singleGeneration } from '@portal/platform/generations/active-generation'
import type { Mail } from '@portal/platform/outbound/port'
import type { Projection } from '@portal/platform/projection/projection'
import { pino } from 'pino'
import { audienceProjection } from '../src/audience/projection.ts'
import { campaignDecider } from '../src/campaign/decider.ts'
import { groupByBucket, packChunks } from '../src/campaign/events.ts'
import { pendingDeliveriesProjection } from '../src/delivery/pending-deliveries.ts'
import { createMoments } from '../src/delivery/send-times.ts'
import { deviceProjection, tokensRef } from '../src/device/projection.ts'
import { inboxProjection } from '../src/inbox/projection.ts'
import { notificationsPublishers } from '../src/projections.ts'
import { buildUnseenMail } from '../src/unseen-mail/build-unseen-mail.ts'
import { createFillTexts } from '../src/placeholders/fill-texts.ts'
import { createRecipientValues } from '../src/placeholders/recipient-values.ts'
import { unseenMailDecider } from '../src/unseen-mail/decider.ts'
import { createUnsubscribeTokens } from '../src/unseen-mail/unsubscribe-token.ts'
import { defaultUnseenMailPace } from '../src/unseen-mail/worker.ts'
import { createMemoryLog, type MemoryLog, recordRecall } from './memory-log.ts'
import { authPublisher, profileAt, registered, type TestProfile } from './people.ts'
import { createPlainVault, plainProfile } from './plain-vault.ts'
import { createProjectedLog } from './projected-log.ts'
import { notificationIdAt, sessionIdAt, someText, userIdAt } from './samples.ts'

const startMs = Date.UTC(2026, 0, 1)
const publishers = [...notificationsPublishers, authPublisher]
const tokens = createUnsubscribeTokens(Buffer.alloc(32, 1))
const silent = pino({ level: 'silent' })
const pace = { ...defaultUnseenMailPace, betweenMailsMs: 0, failurePause: { firstMs: 0, maxMs: 0 } }

type Outcome = Pick<DeliveryOutcome, 'state' | 'reason'>

export const withoutDevice: Outcome = { state: 'skipped', reason: deliveryReasons.noDevice }

/** 'read-only': takes no writes, and says so. 'crashing': the process ends before an append. */
type LogFault = 'none' | 'read-only' | 'crashing'

const createStore = (log: MemoryLog) => {
  let fault: LogFault = 'none'
  let crash = (): void => undefined
  const streamOf = (stream: string) => log.events.filter((event) => event.stream === stream)
  const eventStore: Pick<EventStore, 'append' | 'read' | 'check'> = {
    check: async () => {
      if (fault === 'read-only') throw new Error('the store is full')
    },
    read: async function* (stream, fromRevision = 0) {
      for (const [revision, event] of streamOf(stream).entries())
        if (revision >= fromRevision) yield { ...event, revision }
    },
    append: async (stream, expected, events) => {
      if (fault === 'crashing') crash()
      if (fault !== 'none') throw new Error('the store is unavailable')
      const count = streamOf(stream).length
      const actualRevision = count === 0 ? 'no-stream' : count - 1
      if (expected !== 'any' && expected !== actualRevision) return { kind: 'conflict', actualRevision }
      return { ...log.append(stream, ...events), revision: count + events.length - 1 }
    },
  }
  return { eventStore, setFault: (next: LogFault, onCrash = crash) => void ([fault, crash] = [next, onCrash]) }
}

/** E-mails about unread notifications on real read models, without a bus. The test controls log, mail server and clocks. */
export const createUnseenMailWorld = ({ afterMs = 86_400_000 }: { readonly afterMs?: number } = {}) => {
  let elapsedMs = 0
  const errorMs = { machine: 0, store: 0 }
  const log = createMemoryLog(0, () => new Date(startMs + elapsedMs + errorMs.store))
  const projected = (projection: Projection) => createProjectedLog(projection, log, publishers)
  const inboxes = projected(inboxProjection)
  const devices = projected(deviceProjection)
  const audience = projected(audienceProjection)
  const pending = projected(pendingDeliveriesProjection)
  const all = [inboxes, devices, audience, pending]
  const vault = createPlainVault()
  const { eventStore, setFault } = createStore(log)
  const sent: (Mail & { readonly atMs: number })[] = []
  const logged: string[] = []
  let [sends, registrations, isMailDown, isCaughtUp] = [0, 0, false, true]

  const holders = async (userIds: readonly UserId[]): Promise<ReadonlySet<UserId>> => {
    const documents = await devices.readModel.getMany(userIds.map(tokensRef))
    return new Set(userIds.filter((_, index) => documents[index] !== undefined))
  }

  const start = () => {
    const clock = { now: () => new Date(startMs + elapsedMs + errorMs.machine), elapsedMs: () => elapsedMs }
    return buildUnseenMail({
      mail: {
        send: async (mail) => {
          if (isMailDown) throw Object.assign(new Error(`refused <${mail.to}>`), { code: 'EENVELOPE' })
          sent.push({ ...mail, atMs: elapsedMs })
        },
      },
      origin: 'https://portal.example',
      unsubscribeTokens: tokens,
      eventStore,
      readModel: singleGeneration(inboxes.readModel),
      pendingDeliveries: pending.readModel,
      isCaughtUp: () => isCaughtUp,
      devices: { holders },
      audience: audience.readModel,
      fillTexts: createFillTexts({
        values: createRecipientValues({ audience: audience.readModel, vault, logger: silent }),
        logger: silent,
      }),
      vault,
      afterMs,
      now: createMoments(clock),
      pace,
      logger: pino({ level: 'warn' }, { write: (line) => logged.push(line) }),
    })
  }
  let worker = start()
  const project = async (): Promise<void> => {
    for (const each of all) await each.project()
  }

  const settle = (notificationId: NotificationId, userIds: readonly UserId[], outcome: Outcome): void => {
    const outcomes = userIds.map((userId) => ({ userId, ...outcome }))
    const settled = packChunks(groupByBucket(outcomes, ({ userId }) => bucketKey(userId))).flat()
    log.append(`campaign-${notificationId}`, {
      type: 'RecipientsSettled',
      data: { notificationId, settled: settled.map(({ bucket, items }) => ({ bucket, outcomes: items })) },
    })
  }

  return {
    log,
    inboxes,
    /** All e-mails that the mail server took. */
    sent,
    /** Warnings and errors, as lines. */
    logged,
    tokens,
    /** Registers the n-th user. The address is that of `profileAt`. */
    register: (n: number, isVerified = true, more: Partial<TestProfile> = {}): UserId => {
      const userId = userIdAt(n)
      const { type, data } = registered(userId, 'student', plainProfile({ ...profileAt(n), ...more }))
      log.append(`user-${userId}`, { type, data: { ...data, ...(!isVerified && { emailVerified: false }) } })
      return userId
    },
    /** Sends the next campaign. Its recipients have no device, unless they are settled otherwise. */
    send: (
      userIds: readonly UserId[],
      { text = {}, outcome = withoutDevice }: { text?: Partial<NotificationText>; outcome?: Outcome | 'pending' } = {},
    ): NotificationId => {
      sends += 1
      const whole = { ...someText(sends), ...text }
      const { notificationId } = whole
      const command = { type: 'SendCampaign', text: whole, sentBy: userIdAt(0), userIds } as const
      const decided = campaignDecider.decide({ ...command, knownUserIds: new Set(userIds) }, campaignDecider.initial)
      if (!decided.ok) throw new Error(decided.error.reason)
      log.append(`campaign-${notificationId}`, ...decided.value)
      if (outcome !== 'pending') settle(notificationId, userIds, outcome)
      return notificationId
    },
    settle,
    recall: (notificationId: NotificationId) => recordRecall(log, notificationId),
    read: (userId: UserId, notificationId: NotificationId) =>
      log.append(`inbox-${userId}`, { type: 'NotificationRead', data: { userId, notificationId } }),
    registerDevice: (userId: UserId): void => {
      registrations += 1
      const tokenIndex = `token-${registrations}`
      const token = encryptedTextSchema.parse('token')
      log.append(`device-${tokenIndex}`, {
        type: 'PushTokenRegistered',
        data: { tokenIndex, userId, sessionId: sessionIdAt(1), token },
      })
    },
    optOut: (userId: UserId, ...types: readonly NotificationType[]): void => {
      const email = { ...defaultPreferences.email, ...Object.fromEntries(types.map((type) => [type, false])) }
      const chosen = { ...defaultPreferences, email }
      log.append(`preferences-${userId}`, { type: 'PreferencesChanged', data: { userId, preferences: chosen } })
    },
    erase: (userId: UserId): void => {
      vault.erase(userId)
      log.append(`user-${userId}`, { type: 'UserErased', data: { userId, emailIndex: 'index', mobileIndex: 'index' } })
    },
    deactivate: (userId: UserId): void =>
      void log.append(`user-${userId}`, { type: 'UserDeactivated', data: { userId } }),
    /** What the log says was in e-mails, with the id of each. */
    recorded: () =>
      log.events.flatMap(({ stream, id, type, data }) =>
        stream.startsWith(`${unseenMailDecider.category}-`)
          ? [{ id, ...unseenMailDecider.parse({ type, data }).data }]
          : [],
      ),
    later: (byMs: number): void => void (elapsedMs += byMs),
    /** Sets a clock without changing the elapsed time. */
    setClock: (whose: keyof typeof errorMs, byMs: number): void => void (errorMs[whose] = byMs),
    setMailDown: (isDown: boolean): void => void (isMailDown = isDown),
    setReadOnly: (isReadOnly: boolean): void => setFault(isReadOnly ? 'read-only' : 'none'),
    setCaughtUp: (is: boolean): void => void (isCaughtUp = is),
    project,
    projectAllButInbox: async (): Promise<void> => {
      for (const each of all) if (each !== inboxes) await each.project()
    },
    roundAsProjected: () => worker.round(),
    /** Projects everything and runs one round. */
    round: async (): Promise<void> => {
      await project()
      await worker.round()
    },
    /** A round during which the process ends between an e-mail and its record. Then it starts again. */
    crash: async (): Promise<void> => {
      await project()
      setFault('crashing', () => void worker.stop())
      await worker.round()
      setFault('none')
      worker = start()
    },
    restart: (): void => {
      worker = start()
    },
    notificationAt: notificationIdAt,
    close: async (): Promise<void> => void (await Promise.all(all.map((each) => each.close()))),
  }
}
export type UnseenMailWorld = ReturnType<typeof createUnseenMailWorld>
