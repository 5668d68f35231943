import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { OutcomeState } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import fc from 'fast-check'
import { type CampaignEvent, campaignEventSchema, groupByBucket, packChunks } from '../src/campaign/events.ts'
import { createCampaignProgress } from '../src/campaign/progress.ts'
import { inboxCategory, type InboxEvent, inboxEventSchema } from '../src/inbox/events.ts'
import { createInboxReader, type InboxReader } from '../src/inbox/inbox-reader.ts'
import { allReadNow } from '../src/inbox/mark-read.ts'
import { inboxProjection } from '../src/inbox/projection.ts'
import { createContentCache } from '../src/inbox/content-cache.ts'
import { createMemoryLog, recordRecall, recordSend } from './memory-log.ts'
import { createProjectedLog, type ProjectedLog } from './projected-log.ts'
import { notificationIdAt, userIdAt } from './samples.ts'
import { plainTexts } from './plain-texts.ts'

/** A plain model of an inbox, to compare with the projection. */
type ModelItem = {
  readonly notificationId: NotificationId
  readonly seq: number
  readonly deliveredAt: string
  readAt: string | null
  /** Whether the user read it, and not only its recall. */
  isCounted: boolean
  isRead: boolean
  withdrawnAt: string | null
  state: OutcomeState | 'pending'
}
type ModelInbox = { seq: number; readonly items: ModelItem[] }

const createInboxModel = () => {
  const inboxes = new Map<UserId, ModelInbox>()

  const inboxOf = (userId: UserId): ModelInbox => {
    let inbox = inboxes.get(userId)
    if (!inbox) {
      inbox = { seq: 0, items: [] }
      inboxes.set(userId, inbox)
    }
    return inbox
  }

  const read = (inbox: ModelInbox, which: (item: ModelItem) => boolean, at: string): void => {
    const found = inbox.items.filter((item) => !item.isRead && which(item))
    for (const item of found) {
      item.isRead = true
      item.readAt = at
      item.isCounted = true
    }
    if (found.length > 0) inbox.seq += 1
  }

  const recall = (inbox: ModelInbox, notificationId: NotificationId, at: string): void => {
    const item = inbox.items.find((one) => one.notificationId === notificationId)
    if (!item) return
    inbox.seq += 1
    item.isRead = true
    item.readAt ??= at
    item.withdrawnAt = at
  }

  return {
    inboxOf,
    apply: (event: InboxEvent | CampaignEvent, at: string): void => {
      switch (event.type) {
        case 'RecipientsTargeted': {
          const { notificationId } = event.data.text
          for (const userId of event.data.recipients.flatMap(({ userIds }) => userIds)) {
            const inbox = inboxOf(userId)
            inbox.seq += 1
            const unread = { readAt: null, isCounted: false, isRead: false, withdrawnAt: null }
            inbox.items.push({ notificationId, seq: inbox.seq, deliveredAt: at, ...unread, state: 'pending' })
          }
          return
        }
        case 'NotificationRead':
          return read(
            inboxOf(event.data.userId),
            ({ notificationId }) => notificationId === event.data.notificationId,
            at,
          )
        case 'NotificationMarkedUnread': {
          const inbox = inboxOf(event.data.userId)
          const item = inbox.items.find(({ notificationId }) => notificationId === event.data.notificationId)
          if (!item?.isRead || item.withdrawnAt !== null) return
          item.isRead = false
          item.readAt = null
          inbox.seq += 1
          return
        }
        case 'AllNotificationsRead': {
          const { userId, newestId, readUpTo } = event.data
          const inbox = inboxOf(userId)
          const newest = inbox.items.find(({ notificationId }) => notificationId === newestId)
          return read(inbox, ({ seq }) => seq <= (newest?.seq ?? readUpTo), at)
        }
        case 'RecipientsSettled':
          for (const { userId, state } of event.data.settled.flatMap(({ outcomes }) => outcomes)) {
            const item = inboxOf(userId).items.find(
              ({ notificationId }) => notificationId === event.data.notificationId,
            )
            if (item?.state === 'pending') item.state = state
          }
          return
        case 'EntriesWithdrawn':
          for (const inbox of inboxes.values()) recall(inbox, event.data.notificationId, at)
          return
        case 'CampaignRecalled':
        case 'CampaignSent':
        case 'SenderAnswered':
      }
    },
  }
}
type InboxModel = ReturnType<typeof createInboxModel>

/** Two of them share a bucket. */
export const users: readonly UserId[] = (() => {
  const [first, ...others] = Array.from({ length: 200 }, (_, n) => userIdAt(n + 1))
  const neighbor = others.find((userId) => first && bucketKey(userId) === bucketKey(first))
  const [another] = others
  if (!first || !neighbor || !another) throw new Error('no two users share a bucket')
  return [first, neighbor, another]
})()

type Action =
  | { readonly kind: 'send'; readonly to: readonly number[] }
  | { readonly kind: 'read'; readonly user: number; readonly nth: number }
  | { readonly kind: 'mark-unread'; readonly user: number; readonly nth: number }
  /** `isOld`: as recorded by releases that did not name the newest notification. */
  | { readonly kind: 'read-all'; readonly user: number; readonly isOld: boolean }
  | {
      readonly kind: 'settle'
      readonly nth: number
      readonly to: readonly number[]
      readonly state: DeliveryOutcome['state']
    }
  | { readonly kind: 'recall'; readonly nth: number }
  /** The projection may lag behind the log. */
  | { readonly kind: 'project'; readonly events: number }

const userIndex = fc.nat({ max: users.length - 1 })
const someUsers = fc.uniqueArray(userIndex, { minLength: 1, maxLength: users.length })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), to: someUsers }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('read' as const), user: userIndex, nth: fc.nat({ max: 20 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('mark-unread' as const), user: userIndex, nth: fc.nat({ max: 20 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('read-all' as const), user: userIndex, isOld: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      nth: fc.nat({ max: 20 }),
      to: someUsers,
      state: fc.constantFrom('live', 'pushed', 'skipped', 'failed', 'cancelled'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('recall' as const), nth: fc.nat({ max: 20 }) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('project' as const), events: fc.nat({ max: 5 }) }) },
)

const eventOf = (recorded: { readonly stream: string; readonly type: string; readonly data: unknown }) =>
  recorded.stream.startsWith(inboxCategory)
    ? inboxEventSchema.parse({ type: recorded.type, data: recorded.data })
    : campaignEventSchema.parse({ type: recorded.type, data: recorded.data })

/**
 * A log with real decisions, based on a read model that may lag, and the plain model beside it. Events are `stepMs`
 * apart.
 */
const createWorld = (stepMs?: number) => {
  const log: ProjectedLog = createProjectedLog(inboxProjection, createMemoryLog(stepMs))
  const model: InboxModel = createInboxModel()
  const inbox: InboxReader = createInboxReader(log.readModel, {
    contentCache: createContentCache(log.readModel),
    fillTexts: plainTexts,
  })
  const progress = createCampaignProgress(log.readModel)
  let sends = 0
  let modeled = 0

  const append = (stream: string, ...events: readonly (InboxEvent | CampaignEvent)[]) => log.append(stream, ...events)

  const send = (to: readonly UserId[]) => {
    sends += 1
    recordSend(log, sends, to)
  }

  const settle = (nth: number, to: readonly UserId[], state: DeliveryOutcome['state']) => {
    if (sends === 0) return
    const notificationId = notificationIdAt(1 + (nth % sends))
    const outcomes = to.map((userId): DeliveryOutcome => ({ userId, state }))
    for (const chunk of packChunks(groupByBucket(outcomes, ({ userId }) => bucketKey(userId))))
      append(`campaign-${notificationId}`, {
        type: 'RecipientsSettled',
        data: { notificationId, settled: chunk.map(({ bucket, items }) => ({ bucket, outcomes: [...items] })) },
      })
  }

  const recall = (nth: number) => {
    if (sends > 0) recordRecall(log, notificationIdAt(1 + (nth % sends)))
  }

  const nthOf = async (userId: UserId, nth: number) =>
    (await inbox.page(userId, { page: 1 + nth, limit: 1 })).notifications[0]

  const readNth = async (userId: UserId, nth: number) => {
    const item = await nthOf(userId, nth)
    if (item && !item.isRead)
      append(`inbox-${userId}`, { type: 'NotificationRead', data: { userId, notificationId: item._id } })
  }

  const markNthUnread = async (userId: UserId, nth: number) => {
    const item = await nthOf(userId, nth)
    if (item?.isRead)
      append(`inbox-${userId}`, { type: 'NotificationMarkedUnread', data: { userId, notificationId: item._id } })
  }

  const readAll = async (userId: UserId, isOld: boolean) => {
    const latest = await inbox.latest(userId)
    const event = allReadNow(userId, latest)
    if (event === undefined || latest.head.unread === 0) return
    const { readUpTo, arrivals } = event.data
    append(`inbox-${userId}`, isOld ? { type: event.type, data: { userId, readUpTo, arrivals } } : event)
  }

  const userAt = (index: number): UserId => users[index] ?? userIdAt(0)

  return {
    log,
    model,
    inbox,
    progress,
    sends: () => sends,
    act: async (next: Action): Promise<void> => {
      switch (next.kind) {
        case 'send':
          return send(next.to.map(userAt))
        case 'settle':
          return settle(next.nth, next.to.map(userAt), next.state)
        case 'recall':
          return recall(next.nth)
        case 'read':
          return readNth(userAt(next.user), next.nth)
        case 'mark-unread':
          return markNthUnread(userAt(next.user), next.nth)
        case 'read-all':
          return readAll(userAt(next.user), next.isOld)
        case 'project':
          return log.project(next.events)
      }
    },
    /** Brings the model up to the projection's position. */
    catchModelUp: (): void => {
      for (const recorded of log.events.slice(modeled, log.projected)) model.apply(eventOf(recorded), recorded.at)
      modeled = log.projected
    },
  }
}
export type World = ReturnType<typeof createWorld>

const orders = fc.array(action, { minLength: 1, maxLength: 40 })

/** Checks a property for any sequence of actions. */
export const inWorld = (check: (world: World, actions: readonly Action[]) => Promise<void>, stepMs?: number) =>
  fc.asyncProperty(orders, async (actions) => {
    const world = createWorld(stepMs)
    try {
      await check(world, actions)
    } finally {
      await world.log.close()
    }
  })
