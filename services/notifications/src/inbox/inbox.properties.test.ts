import type { Outcome } from '@portal/contracts/notifications/events'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { InboxResumed } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupByBucket, packChunks } from '../campaign/chunks.ts'
import { type CampaignEvent, campaignEventSchema } from '../campaign/events.ts'
import { createCampaignProgress } from '../progress/campaign-progress.ts'
import {
  campaignList,
  campaignPartition,
  headRef,
  itemList,
  markList,
  readList,
  recipientsRef,
  tallyRef,
} from '../read-model.ts'
import { createInboxModel, type InboxModel } from '../testing/inbox-model.ts'
import { createProjectedLog, type ProjectedLog } from '../testing/projected-log.ts'
import { notificationIdAt, userIdAt } from '../testing/samples.ts'
import { recordSend } from '../testing/sends.ts'
import { inboxCategory, type InboxEvent, inboxEventSchema } from './events.ts'
import { createInboxReader, type InboxReader } from './inbox-reader.ts'
import { allReadNow, lastMarkOf } from './mark-read.ts'
import { inboxProjection } from './projection.ts'
import { createTexts } from './texts.ts'

/** Two of them share a bucket, as many do. */
const users: readonly UserId[] = (() => {
  const [first, ...others] = Array.from({ length: 200 }, (_, n) => userIdAt(n + 1))
  const neighbour = others.find((userId) => first && bucketKey(userId) === bucketKey(first))
  const [another] = others
  if (!first || !neighbour || !another) throw new Error('no two users share a bucket')
  return [first, neighbour, another]
})()

type Action =
  | { readonly kind: 'send'; readonly to: readonly number[] }
  | { readonly kind: 'read'; readonly user: number; readonly nth: number }
  | { readonly kind: 'read-all'; readonly user: number }
  | { readonly kind: 'settle'; readonly nth: number; readonly to: readonly number[]; readonly state: Outcome['state'] }
  /** The projection may be behind what is recorded. */
  | { readonly kind: 'project'; readonly events: number }

const userIndex = fc.nat({ max: users.length - 1 })
const someUsers = fc.uniqueArray(userIndex, { minLength: 1, maxLength: users.length })
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('send' as const), to: someUsers }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('read' as const), user: userIndex, nth: fc.nat({ max: 20 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('read-all' as const), user: userIndex }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      nth: fc.nat({ max: 20 }),
      to: someUsers,
      state: fc.constantFrom('live', 'pushed', 'skipped', 'failed', 'cancelled'),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('project' as const), events: fc.nat({ max: 5 }) }) },
)

const eventOf = (recorded: { readonly stream: string; readonly type: string; readonly data: unknown }) =>
  recorded.stream.startsWith(inboxCategory)
    ? inboxEventSchema.parse({ type: recorded.type, data: recorded.data })
    : campaignEventSchema.parse({ type: recorded.type, data: recorded.data })

/** A log with the real decisions, made on a read model that may be behind, and the plain model beside it. */
const createWorld = () => {
  const log: ProjectedLog = createProjectedLog(inboxProjection)
  const model: InboxModel = createInboxModel()
  const inbox: InboxReader = createInboxReader(log.readModel, createTexts(log.readModel))
  const progress = createCampaignProgress(log.readModel)
  let sends = 0
  let modelled = 0

  const append = (stream: string, ...events: readonly (InboxEvent | CampaignEvent)[]) => log.append(stream, ...events)

  const send = (to: readonly UserId[]) => {
    sends += 1
    recordSend(log, sends, to)
  }

  const settle = (nth: number, to: readonly UserId[], state: Outcome['state']) => {
    if (sends === 0) return
    const notificationId = notificationIdAt(1 + (nth % sends))
    const outcomes = to.map((userId): Outcome => ({ userId, state }))
    for (const chunk of packChunks(groupByBucket(outcomes, ({ userId }) => bucketKey(userId))))
      append(`campaign-${notificationId}`, {
        type: 'RecipientsSettled',
        data: { notificationId, settled: chunk.map(({ bucket, items }) => ({ bucket, outcomes: [...items] })) },
      })
  }

  const readNth = async (userId: UserId, nth: number) => {
    const { notifications } = await inbox.page(userId, { page: 1 + nth, limit: 1 })
    const [item] = notifications
    if (!item || item.isRead) return
    append(`inbox-${userId}`, { type: 'NotificationRead', data: { userId, notificationId: item._id } })
  }

  const readAll = async (userId: UserId) => {
    const head = await inbox.head(userId)
    if (head.unread > 0) append(`inbox-${userId}`, allReadNow(userId, head, await lastMarkOf(log.readModel, userId)))
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
        case 'read':
          return readNth(userAt(next.user), next.nth)
        case 'read-all':
          return readAll(userAt(next.user))
        case 'project':
          return log.project(next.events)
      }
    },
    /** Brings the model to where the projection is. */
    catchModelUp: (): void => {
      for (const recorded of log.events.slice(modelled, log.projected)) model.apply(eventOf(recorded), recorded.at)
      modelled = log.projected
    },
  }
}
type World = ReturnType<typeof createWorld>

const wholeList = async (inbox: InboxReader, userId: UserId, limit: number): Promise<InboxItem[]> => {
  const items: InboxItem[] = []
  for (let page = 1; ; page++) {
    const { notifications, pagination } = await inbox.page(userId, { page, limit })
    items.push(...notifications)
    if (page >= pagination.totalPages) return items
  }
}

const expectInboxesLikeModel = async ({ inbox, model }: World): Promise<void> => {
  for (const userId of users) {
    const expected = model.inboxOf(userId)
    const list = await wholeList(inbox, userId, 3)
    expect(
      list.map(({ _id, seq, readAt, deliveredAt, isRead }) => ({ _id, seq, readAt, deliveredAt, isRead })),
    ).toEqual(
      expected.items.toReversed().map(({ notificationId, seq, readAt, deliveredAt }) => ({
        _id: notificationId,
        seq,
        readAt,
        deliveredAt,
        isRead: readAt !== null,
      })),
    )
    const head = await inbox.head(userId)
    expect(head).toMatchObject({ seq: expected.seq, total: expected.items.length })
    expect(head.unread).toBe(list.filter(({ isRead }) => !isRead).length)
  }
}

/** What a client makes of an answer to its resume. */
const applyChanges = (list: readonly InboxItem[], resumed: Exclude<InboxResumed, { reset: true }>): InboxItem[] => {
  let items = [...list]
  for (const change of resumed.changes) {
    switch (change.kind) {
      case 'arrived':
        items = [change.notification, ...items]
        break
      case 'read':
        items = items.map((item) =>
          item._id === change.notificationId ? { ...item, isRead: true, readAt: change.readAt } : item,
        )
        break
      case 'all-read':
        items = items.map((item) =>
          !item.isRead && item.seq <= change.readUpTo ? { ...item, isRead: true, readAt: change.readAt } : item,
        )
    }
  }
  return items
}

const everything = async (readModel: ReadModel, sends: number): Promise<unknown> => {
  const whole = { order: 'ascending', limit: 1_000 } as const
  const ofUsers = users.map(async (userId) => {
    const partition = bucketKey(userId)
    const lists = [itemList(userId), readList(userId), markList(userId)]
    const entries = await Promise.all(lists.map((list) => readModel.range(partition, list, whole)))
    return [await readModel.get(headRef(userId)), ...entries]
  })
  const tallies = Array.from({ length: sends }, (_, n) =>
    users.flatMap((userId) => [
      tallyRef(bucketKey(userId), notificationIdAt(n + 1)),
      recipientsRef(bucketKey(userId), notificationIdAt(n + 1)),
    ]),
  )
  return [
    await Promise.all(ofUsers),
    await readModel.getMany(tallies.flat()),
    await readModel.range(campaignPartition, campaignList, whole),
  ]
}

const expectProgressLikeModel = async ({ progress, model, sends }: World): Promise<void> => {
  const ids = Array.from({ length: sends() }, (_, n) => notificationIdAt(n + 1))
  for (const [index, sum] of (await progress.progressOf(ids)).entries()) {
    const items = users.flatMap((userId) =>
      model.inboxOf(userId).items.filter(({ notificationId }) => notificationId === ids[index]),
    )
    const count = (state: string) => items.filter((item) => item.state === state).length
    expect(sum).toEqual({
      notificationId: ids[index],
      targeted: items.length,
      pending: count('pending'),
      live: count('live'),
      pushed: count('pushed'),
      skipped: count('skipped'),
      failed: count('failed'),
      cancelled: count('cancelled'),
      read: items.filter(({ readAt }) => readAt !== null).length,
    })
  }
}

const orders = fc.array(action, { minLength: 1, maxLength: 40 })

const inWorld = (check: (world: World, actions: readonly Action[]) => Promise<void>) =>
  fc.asyncProperty(orders, async (actions) => {
    const world = createWorld()
    try {
      await check(world, actions)
    } finally {
      await world.log.close()
    }
  })

/** Many orders take their time on a busy machine. */
const timeout = 60_000

describe('whatever is sent, read, marked and settled, in whatever order, with the projection behind or not', () => {
  it('list, counts and numbers are those of the plain model, at every moment', { timeout }, async () => {
    await fc.assert(
      inWorld(async (world, actions) => {
        for (const next of actions) {
          await world.act(next)
          world.catchModelUp()
          await expectInboxesLikeModel(world)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('the states of each send add up, each outcome and each read counts once', { timeout }, async () => {
    await fc.assert(
      inWorld(async (world, actions) => {
        for (const next of actions) await world.act(next)
        await world.log.project()
        world.catchModelUp()
        await expectProgressLikeModel(world)
      }),
      { numRuns: 150 },
    )
  })

  it('what a client had, with the changes since, equals a fresh list, whenever it was', { timeout }, async () => {
    await fc.assert(
      inWorld(async ({ act, inbox, log }, actions) => {
        const had = new Map(users.map((userId) => [userId, new Map<number, readonly InboxItem[]>([[0, []]])]))
        for (const next of actions) {
          await act(next)
          for (const userId of users)
            had.get(userId)?.set((await inbox.head(userId)).seq, await wholeList(inbox, userId, 10))
        }
        await log.project()
        for (const userId of users) {
          const fresh = await wholeList(inbox, userId, 10)
          const { seq, unread } = await inbox.head(userId)
          for (const [since, list] of had.get(userId) ?? []) {
            const resumed = await inbox.changesSince(userId, since)
            if ('reset' in resumed) throw new Error('so few changes are no reset')
            expect(resumed).toMatchObject({ seq, unread })
            expect(resumed.changes.map((change) => change.seq)).toEqual(
              Array.from({ length: seq - since }, (_, n) => since + n + 1),
            )
            expect(applyChanges(list, resumed)).toEqual(fresh)
          }
        }
      }),
      { numRuns: 60 },
    )
  })

  it('a rebuild from the log gives the same documents, sequence numbers included', { timeout }, async () => {
    await fc.assert(
      inWorld(async ({ act, log, sends }, actions) => {
        for (const next of actions) await act(next)
        const rebuilt = await log.rebuilt()
        expect(await everything(rebuilt, sends())).toEqual(await everything(log.readModel, sends()))
        await rebuilt.close()
      }),
      { numRuns: 60 },
    )
  })
})
