import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryStatus } from '@portal/contracts/notifications/notification'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { createKeyedMutex } from '@portal/platform/async/keyed-mutex'
import type { ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import type { PeopleSnapshot } from '../audience/people-index.ts'
import {
  type BucketRecipients,
  type BucketTally,
  currentRecipients,
  recipientsOf,
  recipientsRef,
  resentRef,
  tallyOf,
  tallyRef,
} from '../read-model.ts'
import type { SentCampaign } from '../campaign/projection.ts'
import { orderByName, type RecipientOrder, type SearchedPerson } from './recipient-order.ts'

/** All users. `byName` is another array after each change of the order. */
type Names = Pick<PeopleSnapshot, 'person' | 'rankOf'> & { readonly byName: readonly SearchedPerson[] }

/** Recipients with the same status and reason. */
export type RecipientGroup = { readonly status: DeliveryStatus; readonly reason?: string | undefined }

/** One bucket's recipients, sorted by id, so that positions stay when only statuses change. */
type BucketSlice = {
  readonly tally: BucketTally
  readonly userIds: readonly UserId[]
  /** The group of each, as an index into the view's groups. */
  readonly groupOf: Uint16Array
}

/** The recipients of a campaign at one moment. It does not change; a refresh makes another one. */
export type RecipientsView = {
  readonly userIds: readonly UserId[]
  readonly groups: readonly RecipientGroup[]
  /** The group of each recipient, as an index. */
  readonly groupOf: Uint16Array
  readonly order: RecipientOrder
  readonly people: Names
}

type CachedView = RecipientsView & {
  readonly epoch: string
  readonly slices: ReadonlyMap<string, BucketSlice>
}

type RecipientsViewsDeps = {
  readonly readModel: Pick<ReadStore, 'epoch' | 'getMany'>
  readonly people: { snapshot(): Promise<Names> }
}

/** About 85 bytes each. */
const maxCachedRecipients = 500_000
/** Documents of 100 KB: enough for one round trip, and short enough for other requests. */
const bucketsPerRead = 8

/** Interns groups: a campaign has few of them. */
const createGroups = (before: readonly RecipientGroup[]) => {
  const groups = [...before]
  const indexes = new Map(groups.map((group, index) => [keyOf(group), index]))
  return {
    groups,
    indexOf: (group: RecipientGroup): number => {
      const key = keyOf(group)
      const known = indexes.get(key)
      if (known !== undefined) return known
      indexes.set(key, groups.length)
      return groups.push(group) - 1
    },
  }
}
type Groups = ReturnType<typeof createGroups>

const keyOf = ({ status, reason }: RecipientGroup): string => `${status} ${reason ?? ''}`

const sliceOf = (
  tally: BucketTally,
  { pending, postponed = [], settled }: BucketRecipients,
  { indexOf }: Groups,
): BucketSlice => {
  const groupByUser = new Map<UserId, number>()
  const add = (userIds: readonly UserId[], group: RecipientGroup): void => {
    if (userIds.length === 0) return
    const index = indexOf(group)
    for (const userId of userIds) groupByUser.set(userId, index)
  }
  add(pending, { status: 'pending' })
  for (const { userIds } of postponed) add(userIds, { status: 'pending', reason: deliveryReasons.postponed })
  for (const { state, reason, userIds } of settled) add(userIds, { status: state, reason })
  const userIds = [...groupByUser.keys()].toSorted()
  return { tally, userIds, groupOf: Uint16Array.from(userIds, (userId) => groupByUser.get(userId) ?? 0) }
}

/** Whether the recipients' states are the same. A resend is counted, so no change restores earlier numbers. */
const isSame = (one: BucketTally | undefined, other: BucketTally): boolean =>
  one !== undefined &&
  one.targeted === other.targeted &&
  one.live === other.live &&
  one.pushed === other.pushed &&
  one.skipped === other.skipped &&
  one.failed === other.failed &&
  one.cancelled === other.cancelled &&
  one.resent === other.resent &&
  one.postponed === other.postponed

/** Recipients are only added, so a bucket with as many recipients has the same ones at the same positions. */
const hasSameRecipients = (one: ReadonlyMap<string, BucketSlice>, other: ReadonlyMap<string, BucketSlice>): boolean =>
  [...other].every(([bucket, { userIds }]) => one.get(bucket)?.userIds.length === userIds.length)

const joinGroups = (slices: readonly BucketSlice[], count: number): Uint16Array => {
  const joined = new Uint16Array(count)
  let offset = 0
  for (const { groupOf } of slices) {
    joined.set(groupOf, offset)
    offset += groupOf.length
  }
  return joined
}

/**
 * Keeps the recipients of the last viewed campaigns in memory, because a page needs all of them: to sort, filter and
 * count. A view reads the small tallies of the buckets, and only the recipients of buckets whose tally has changed.
 */
export const createRecipientsViews = ({ readModel, people }: RecipientsViewsDeps) => {
  const cache = new LRUCache<NotificationId, CachedView>({
    maxSize: maxCachedRecipients,
    sizeCalculation: ({ userIds }) => userIds.length + 1,
  })
  const inTurn = createKeyedMutex()

  const readSlices = async (
    id: NotificationId,
    buckets: readonly string[],
    before: ReadonlyMap<string, BucketSlice> | undefined,
    groups: Groups,
  ): Promise<ReadonlyMap<string, BucketSlice>> => {
    const tallies = await readModel.getMany(buckets.map((bucket) => tallyRef(bucket, id)))
    const slices = new Map(before)
    const changed = buckets.flatMap((bucket, index) => {
      const tally = tallyOf(tallies[index])
      return isSame(slices.get(bucket)?.tally, tally) ? [] : [{ bucket, tally }]
    })
    for (let from = 0; from < changed.length; from += bucketsPerRead) {
      const some = changed.slice(from, from + bucketsPerRead)
      const [documents, resent] = await Promise.all([
        readModel.getMany(some.map(({ bucket }) => recipientsRef(bucket, id))),
        readModel.getMany(some.map(({ bucket }) => resentRef(bucket, id))),
      ])
      for (const [index, { bucket, tally }] of some.entries()) {
        await yieldToEventLoop()
        const recipients = currentRecipients(recipientsOf(documents[index]), recipientsOf(resent[index]))
        slices.set(bucket, sliceOf(tally, recipients, groups))
      }
    }
    return slices
  }

  const refresh = async (id: NotificationId, buckets: readonly string[]): Promise<CachedView> => {
    const { epoch } = readModel
    const cached = cache.get(id)
    const before = cached?.epoch === epoch ? cached : undefined
    const groups = createGroups(before?.groups ?? [])
    const [slices, snapshot] = await Promise.all([readSlices(id, buckets, before?.slices, groups), people.snapshot()])
    const inOrder = buckets.flatMap((bucket) => slices.get(bucket) ?? [])
    const count = inOrder.reduce((sum, { userIds }) => sum + userIds.length, 0)
    const known = before && hasSameRecipients(before.slices, slices) ? before : undefined
    const userIds = known?.userIds ?? inOrder.flatMap((slice) => slice.userIds)
    const isSameOrder = known?.people.byName === snapshot.byName
    const view: CachedView = {
      epoch,
      slices,
      userIds,
      groups: groups.groups,
      groupOf: joinGroups(inOrder, count),
      order: known && isSameOrder ? known.order : await orderByName(userIds, snapshot),
      people: snapshot,
    }
    cache.set(id, view)
    return view
  }

  /** Every change that was projected before the call is in the view. */
  return (id: NotificationId, { buckets }: Pick<SentCampaign, 'buckets'>): Promise<RecipientsView> =>
    inTurn(id, () => refresh(id, buckets))
}
export type RecipientsViews = ReturnType<typeof createRecipientsViews>
