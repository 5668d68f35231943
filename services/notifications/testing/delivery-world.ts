import { bucketKey } from '@portal/contracts/shared/buckets'
import type { Preferences } from '@portal/contracts/notifications/preferences'
import { type NotificationId, type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { Appended, EventStore } from '@portal/platform/event-store/port'
import type { PushMessage, PushOutcome, PushSender } from '@portal/platform/outbound/port'
import type { Checkpoints, Maintenance, ReadModel, ReadStore } from '@portal/platform/read-model/port'
import { pino } from 'pino'
import { buildDelivery } from '../src/delivery/build-delivery.ts'
import { campaignDecider } from '../src/campaign/decider.ts'
import { pendingDeliveriesProjection, readPending } from '../src/delivery/pending-deliveries.ts'
import { createUnconfirmedOutcomes } from '../src/delivery/record-outcomes.ts'
import { itemList } from '../src/read-model.ts'
import { notificationsPublishers } from '../src/projections.ts'
import { createInboxReader } from '../src/inbox/inbox-reader.ts'
import { inboxProjection } from '../src/inbox/projection.ts'
import { createContentCache } from '../src/inbox/content-cache.ts'
import { defaultTimings } from '../src/timings.ts'
import { createAdminActions } from './admin-actions.ts'
import { createMemoryLog, type MemoryLog, recordRecall, recordSend } from './memory-log.ts'
import { authPublisher } from './people.ts'
import { createProjectedLog, type ProjectedLog } from './projected-log.ts'
import { createRecipientStatuses } from './recipient-statuses.ts'
import { notificationIdAt, userIdAt } from './samples.ts'
import { plainTexts } from './plain-texts.ts'

/** The result of an append. 'lost-answer': it is recorded, but the caller gets an error. */
export type Fault = 'none' | 'refused' | 'read-only' | 'lost-answer'

type Options = {
  /** The user's device token, if any. */
  readonly tokenOf: (userId: UserId) => string | undefined
  /** What users have chosen. The test can change it. */
  readonly preferences?: Map<UserId, Preferences>
  readonly graceMs?: number
  readonly pushMaxAgeMs?: number
  /** Projects recorded outcomes immediately. */
  readonly projectsAtOnce?: boolean
}

const logger = pino({ level: 'silent' })
/** Time of the first event. */
const startMs = Date.UTC(2026, 0, 1)

/** A log whose appends fail as the test demands. */
const createFaultyStore = (log: MemoryLog) => {
  let fault: Fault = 'none'
  const eventStore: Pick<EventStore, 'append' | 'read' | 'check'> = {
    check: async () => {
      if (fault === 'refused') throw new Error('the store is unavailable')
    },
    read: async function* (stream, fromRevision = 0) {
      yield* log.events.filter((event) => event.stream === stream && event.revision >= fromRevision)
    },
    append: async (stream, expected, events) => {
      if (fault === 'refused' || fault === 'read-only') throw new Error('the store is unavailable')
      const actualRevision = log.events.findLast((event) => event.stream === stream)?.revision ?? 'no-stream'
      if (expected !== 'any' && expected !== actualRevision) return { kind: 'conflict', actualRevision }
      const known = events.flatMap(
        ({ id }) => log.events.find((event) => event.stream === stream && event.id === id) ?? [],
      )
      if (known.length > 0 && known.length < events.length) throw new Error('some of the event ids are used already')
      const [first] = known
      const appended: Appended = first ? { ...first, kind: 'appended' } : log.append(stream, ...events)
      if (fault === 'lost-answer') throw new Error('connection lost')
      return appended
    },
  }
  const during = async (next: Fault, work: () => Promise<void>): Promise<void> => {
    fault = next
    await work()
    fault = 'none'
  }
  return { eventStore, during }
}

/** The pending-deliveries projection, with rebuilds and reverts. `keepsUp`: applies outcomes immediately. */
const createPendingDeliveries = (log: MemoryLog, keepsUp: boolean) => {
  const publishers = [...notificationsPublishers, authPublisher]
  let projected = createProjectedLog(pendingDeliveriesProjection, log, publishers)
  /** The server was reverted to older data, and the consumer has not noticed. */
  let isReverted = false
  const rebuild = async (events?: number): Promise<void> => {
    await projected.close()
    projected = createProjectedLog(pendingDeliveriesProjection, log, publishers)
    await projected.project(events)
  }
  const reads: Pick<ReadStore, 'get' | 'getMany' | 'entries' | 'range'> &
    Pick<Checkpoints, 'whenApplied'> &
    Pick<Maintenance, 'check'> = {
    check: async () => {
      if (isReverted) throw new Error('the read model was reverted to older data')
    },
    get: (ref) => projected.readModel.get(ref),
    getMany: (refs) => projected.readModel.getMany(refs),
    entries: (partition, lists) => projected.readModel.entries(partition, lists),
    range: (partition, list, range) => projected.readModel.range(partition, list, range),
    whenApplied: async (projection, partition, position) => {
      if (keepsUp) await projected.project()
      return projected.readModel.whenApplied(projection, partition, position, 0)
    },
  }
  return {
    reads,
    rebuild,
    get log(): ProjectedLog {
      return projected
    },
    revert: async (toEvents: number): Promise<void> => {
      await rebuild(toEvents)
      isReverted = true
    },
    notice: async (): Promise<void> => {
      isReverted = false
      await projected.project()
    },
  }
}

/** A push provider that counts accepted pushes by token and notification. */
const createCountedPushes = () => {
  const pushes = new Map<string, number>()
  let answer = async (tokens: readonly string[], _message: PushMessage): Promise<readonly PushOutcome[]> =>
    tokens.map(() => ({ kind: 'accepted' }))
  const send: PushSender['send'] = async (tokens, message) => {
    const outcomes = await answer(tokens, message)
    for (const [n, token] of tokens.entries()) {
      if (outcomes[n]?.kind === 'unavailable') continue
      const key = `${token} ${message.notificationId}`
      pushes.set(key, (pushes.get(key) ?? 0) + 1)
    }
    return outcomes
  }
  return { pushes, send, answerPushes: (next: typeof answer): void => void (answer = next) }
}

const devicesOf = (tokenOf: Options['tokenOf']) => ({
  tokensOf: async (userIds: readonly UserId[]) =>
    userIds.flatMap((userId) => {
      const token = tokenOf(userId)
      return token === undefined ? [] : [{ userId, tokenIndex: token, token }]
    }),
  holders: async (userIds: readonly UserId[]) => new Set(userIds.filter((userId) => tokenOf(userId) !== undefined)),
  drop: async () => undefined,
})

const ignoredDuring =
  (fault: Fault) =>
  (error: unknown): void => {
    if (fault === 'none') throw error
  }

/** Delivery on real read models without a bus. The test controls the projections and the clocks. */
export const createDeliveryWorld = (options: Options) => {
  const { tokenOf, graceMs = 5_000, pushMaxAgeMs = 86_400_000, projectsAtOnce = false } = options
  const { preferences = new Map<UserId, Preferences>() } = options
  /** The real elapsed time, and the errors of this machine's clock and the store's clock. */
  let elapsedMs = 0
  const errorMs = { machine: 0, store: 0 }
  const log = createMemoryLog(0, () => new Date(startMs + elapsedMs + errorMs.store))
  const inboxes = createProjectedLog(inboxProjection, log)
  const inbox = createInboxReader(inboxes.readModel, {
    contentCache: createContentCache(inboxes.readModel),
    fillTexts: plainTexts,
  })
  const pendingDeliveries = createPendingDeliveries(log, projectsAtOnce)
  const { eventStore, during } = createFaultyStore(log)
  const { pushes, send: sendPushes, answerPushes } = createCountedPushes()
  const { stateOf, statusOf, expectSound } = createRecipientStatuses(inboxes)
  let sends = 0
  let crashes = 0
  /** The log end when the worker started: it acts only after passing it. Later events arrive while it watches. */
  let fence = 0
  let watched = 0
  let isActing = true
  const lostLists = new Set<string>()

  const withoutLost: ReadModel['entries'] = async (partition, lists) => {
    const found = await inboxes.readModel.entries(partition, lists)
    return found.map((entry, index) => (lostLists.has(lists[index]?.list ?? '') ? undefined : entry))
  }

  let unconfirmed = createUnconfirmedOutcomes()
  const startWorker = () =>
    buildDelivery({
      eventStore,
      readModel: { ...inboxes.readModel, entries: withoutLost },
      pendingDeliveries: pendingDeliveries.reads,
      devices: devicesOf(tokenOf),
      preferences: { of: async () => preferences },
      values: { of: async () => new Map() },
      push: { send: sendPushes },
      seenSource: { upTo: async () => [] },
      unconfirmed,
      timings: { ...defaultTimings, graceMs, pushMaxAgeMs, gatherSeenMs: 1_000_000 },
      clockAndIds: { now: () => new Date(startMs + elapsedMs + errorMs.machine), elapsedMs: () => elapsedMs },
      logger,
      signal: new AbortController().signal,
    })
  let worker = startWorker()

  /** Notices arrivals as the worker does after its consumer applies events. */
  const noticeArrivals = (): void => {
    for (const recorded of log.events.slice(watched, pendingDeliveries.log.projected)) {
      const [, category, userId] = /^(inbox|preferences|user)-(.*)$/.exec(recorded.stream) ?? []
      if (userId !== undefined) {
        const bucket = bucketKey(userIdSchema.parse(userId))
        if (category === 'user' || worker.postponed.isWaiting(bucket)) worker.schedule.recheck(bucket, worker.now())
      }
      if (!recorded.stream.startsWith('campaign-')) continue
      const { type, data } = campaignDecider.parse(recorded)
      if (type === 'RecipientsTargeted') {
        const sent = { notificationId: data.text.notificationId, attempt: 1, sentAt: recorded.at }
        for (const { bucket } of data.recipients) worker.schedule.arrived(bucket, sent, worker.now())
      } else if (type === 'ResendRequested') {
        const { notificationId, attempt, recipients } = data
        const sent = { notificationId, attempt, sentAt: recorded.at }
        for (const { bucket } of recipients) worker.schedule.arrived(bucket, sent, worker.now())
      } else if (type === 'RecipientsPostponed')
        for (const { bucket } of data.recipients) worker.postponed.postponed(bucket, data.until)
      else if (type === 'CancelRequested' || type === 'CampaignRecalled')
        for (const bucket of data.buckets) worker.schedule.stopped(bucket, data.notificationId, worker.now())
    }
    watched = Math.max(watched, pendingDeliveries.log.projected)
  }

  const actions = createAdminActions({ eventStore, inboxes, devices: devicesOf(tokenOf), elapsedMs: () => elapsedMs })

  const restartWorker = (): void => {
    fence = watched = log.events.length
    isActing = false
    worker = startWorker()
  }

  return {
    log,
    inboxes,
    inbox,
    pushes,
    stateOf,
    statusOf,
    get pendingDeliveries() {
      return pendingDeliveries.log
    },
    get crashes() {
      return crashes
    },
    get seenBatcher() {
      return worker.seenBatcher
    },
    /** Sends the n-th campaign to these users, at the time of the store's clock. */
    send: (...userIds: readonly UserId[]): NotificationId => {
      sends += 1
      recordSend(log, sends, userIds)
      return notificationIdAt(sends)
    },
    /** Cancels as the routes do, but without waiting for a projection. A failed append changes nothing else. */
    cancel: (notificationId: NotificationId, withFault: Fault = 'none'): Promise<void> =>
      during(withFault, () => actions.cancel(notificationId).catch(ignoredDuring(withFault))),
    resend: (notificationId: NotificationId, withFault: Fault = 'none'): Promise<void> =>
      during(withFault, () => actions.resend(notificationId).catch(ignoredDuring(withFault))),
    recall: (notificationId: NotificationId): void => recordRecall(log, notificationId),
    deactivate: (userId: UserId): void =>
      void log.append(`user-${userId}`, { type: 'UserDeactivated', data: { userId } }),
    reactivate: (userId: UserId): void =>
      void log.append(`user-${userId}`, { type: 'UserReactivated', data: { userId } }),
    /** The consumer applies this many events as live messages. */
    projectPendingDeliveries: async (events?: number): Promise<void> => {
      await pendingDeliveries.log.project(events)
      noticeArrivals()
    },
    /** Rebuilds the projection as a replay does, up to this many events. */
    rebuildPendingDeliveries: async (events?: number): Promise<void> => {
      await pendingDeliveries.rebuild(events)
      fence = watched = log.events.length
      isActing = false
    },
    /** Reverts the projection by this many events without its consumer noticing. */
    revertPendingDeliveries: pendingDeliveries.revert,
    /** Reads all pending deliveries again. */
    recheckAll: (): void => {
      worker.schedule.recheckAll()
      worker.postponed.recheckAll()
    },
    /** The consumer notices the revert and catches up. */
    noticeRevert: pendingDeliveries.notice,
    /** Hides arrivals in the user's inbox from delivery. */
    loseInboxOf: (userId: UserId): void => void lostLists.add(itemList(userId)),
    /** This machine's clock. */
    now: (): Date => new Date(startMs + elapsedMs + errorMs.machine),
    later: (byMs: number): void => void (elapsedMs += byMs),
    /** Sets a clock without changing the elapsed time. */
    setClock: (whose: keyof typeof errorMs, byMs: number): void => void (errorMs[whose] += byMs),
    answerPushes,
    /** Runs one round, if the projection has caught up. */
    deliver: async (withFault: Fault = 'none'): Promise<void> => {
      const mayAct = pendingDeliveries.log.projected >= fence
      if (mayAct && !isActing) {
        worker.schedule.recheckAll()
        worker.postponed.recheckAll()
      }
      isActing = mayAct
      if (!mayAct) return
      await during(withFault, async () => {
        await worker.deliverDue(() => true)
        await worker.postponed.deliver(() => true)
      })
    },
    /** Flushes. After a failure the worker simply continues. */
    flush: (withFault: Fault = 'none'): Promise<void> =>
      during(withFault, () => worker.seenBatcher.flush().catch(ignoredDuring(withFault))),
    /** Loses in-memory state; the projection stays. */
    restart: (): void => {
      crashes += 1
      unconfirmed = createUnconfirmedOutcomes()
      restartWorker()
    },
    /** The process loses the lead and regains it. */
    leadAgain: (): void => restartWorker(),
    /** Checks that known outcomes never change and totals match the recipients. */
    expectSound: (users: readonly UserId[], expect: (value: unknown) => { toEqual(other: unknown): void }) =>
      expectSound(sends, users, expect),
    openOf: (userId: UserId) => readPending(pendingDeliveries.log.readModel, bucketKey(userId)),
    userAt: userIdAt,
    close: async (): Promise<void> => void (await Promise.all([inboxes.close(), pendingDeliveries.log.close()])),
  }
}
export type DeliveryWorld = ReturnType<typeof createDeliveryWorld>
