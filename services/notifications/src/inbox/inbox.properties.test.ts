import { filterTextOf, filtersTexts, type InboxFilter, matchesText } from '@portal/contracts/notifications/inbox-filter'
import { type InboxItem, withdrawItem, withdrawnTitle } from '@portal/contracts/notifications/notification'
import type { InboxResumed } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  adminCampaignList,
  campaignList,
  campaignPartition,
  headRef,
  itemList,
  markedUnreadRef,
  markList,
  readList,
  recipientsRef,
  tallyRef,
  textRef,
} from '../read-model.ts'
import { inWorld, users, type World } from '@portal/notifications/testing/inbox-world'
import { notificationIdAt } from '@portal/notifications/testing/samples'
import type { InboxReader } from './inbox-reader.ts'

const wholeList = async (
  inbox: InboxReader,
  userId: UserId,
  limit: number,
  filter: InboxFilter = {},
): Promise<InboxItem[]> => {
  const items: InboxItem[] = []
  for (let page = 1; ; page++) {
    const { notifications, pagination } = await inbox.page(userId, { page, limit, ...filter })
    items.push(...notifications)
    if (page >= pagination.totalPages) return items
  }
}

const expectInboxesLikeModel = async ({ inbox, model }: World): Promise<void> => {
  for (const userId of users) {
    const expected = model.inboxOf(userId)
    const list = await wholeList(inbox, userId, 3)
    expect(
      list.map(({ _id, seq, readAt, deliveredAt, isRead, withdrawnAt = null }) => ({
        _id,
        seq,
        readAt,
        deliveredAt,
        isRead,
        withdrawnAt,
      })),
    ).toEqual(
      expected.items.toReversed().map(({ notificationId, seq, readAt, deliveredAt, withdrawnAt }) => ({
        _id: notificationId,
        seq,
        readAt,
        deliveredAt,
        isRead: readAt !== null,
        withdrawnAt,
      })),
    )
    const withdrawn = list.filter(({ withdrawnAt }) => withdrawnAt !== undefined)
    expect(withdrawn.every(({ title, message }) => title === withdrawnTitle && message === '')).toBe(true)
    for (const { _id } of withdrawn) expect(await inbox.item(userId, _id)).toBeUndefined()
    const head = await inbox.head(userId)
    expect(head).toMatchObject({ seq: expected.seq, total: expected.items.length })
    expect(head.unread).toBe(list.filter(({ isRead }) => !isRead).length)
  }
}

const filters: readonly InboxFilter[] = [
  { filter: 'unread' },
  { type: ['General'] },
  { q: 'title 1' },
  { filter: 'unread', type: ['General'], q: 'message 2' },
]

/** A filtered list has the items of the whole list that match, as they are there, and no withdrawn one. */
const expectFilteredLikeWhole = async ({ inbox }: World): Promise<void> => {
  for (const userId of users) {
    const whole = (await wholeList(inbox, userId, 10)).filter(({ withdrawnAt }) => withdrawnAt === undefined)
    for (const filter of filters) {
      const matches = matchesText(filter)
      // The text of a recalled campaign is erased before its entries are withdrawn. Until then they count as unread.
      const hasText = ({ title }: InboxItem) => title !== withdrawnTitle || !filtersTexts(filter)
      const expected = whole.filter(
        (item) => !(filter.filter && item.isRead) && hasText(item) && matches(filterTextOf(item)),
      )
      expect(await wholeList(inbox, userId, 3, filter)).toEqual(expected)
    }
  }
}

/** Applies a resume response as a client does. */
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
        break
      case 'unread':
        items = items.map((item) =>
          item._id === change.notificationId ? { ...item, isRead: false, readAt: null } : item,
        )
        break
      case 'recalled':
        items = items.map((item) =>
          item._id === change.notificationId ? withdrawItem(item, change.withdrawnAt) : item,
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
    return [await readModel.getMany([headRef(userId), markedUnreadRef(userId)]), ...entries]
  })
  const tallies = Array.from({ length: sends }, (_, n) =>
    users.flatMap((userId) => [
      tallyRef(bucketKey(userId), notificationIdAt(n + 1)),
      recipientsRef(bucketKey(userId), notificationIdAt(n + 1)),
      textRef(notificationIdAt(n + 1)),
    ]),
  )
  return [
    await Promise.all(ofUsers),
    await readModel.getMany(tallies.flat()),
    await readModel.range(campaignPartition, campaignList, whole),
    await readModel.range(campaignPartition, adminCampaignList, whole),
  ]
}

const expectProgressLikeModel = async ({ progress, model, sends }: World): Promise<void> => {
  const ids = Array.from({ length: sends() }, (_, n) => notificationIdAt(n + 1))
  for (const [index, sum] of (await progress.progressOf(ids)).entries()) {
    const items = users.flatMap((userId) =>
      model.inboxOf(userId).items.filter(({ notificationId }) => notificationId === ids[index]),
    )
    const recalled = items.filter(({ withdrawnAt }) => withdrawnAt !== null).length
    const count = (state: string) => items.filter((item) => item.state === state).length
    expect(sum).toEqual({
      notificationId: ids[index],
      seq: index + 1,
      targeted: items.length,
      pending: count('pending'),
      live: count('live'),
      pushed: count('pushed'),
      skipped: count('skipped'),
      failed: count('failed'),
      cancelled: count('cancelled'),
      read: items.filter(({ isCounted }) => isCounted).length,
      ...(recalled > 0 && { recalled }),
    })
  }
}

/** Many sequences take long on a busy machine. */
const timeout = 60_000

describe('inboxes after any sequence of campaigns, recalls, reads, marks as unread, mark-alls and outcomes, with the projection behind or not', () => {
  it('match the plain model in lists, counts and numbers at every moment', { timeout }, async () => {
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

  it('have filtered pages with what matches of the whole list', { timeout }, async () => {
    await fc.assert(
      inWorld(async (world, actions) => {
        for (const next of actions) {
          await world.act(next)
          await expectFilteredLikeWhole(world)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('have progress totals that add up, with each outcome and read counted once', { timeout }, async () => {
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

  it("equal a client's earlier list plus the changes since", { timeout }, async () => {
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
            if ('reset' in resumed) throw new Error('a reset for so few changes')
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

  it('are rebuilt from the log with the same documents and sequence numbers', { timeout }, async () => {
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
