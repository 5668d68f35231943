import type { InboxItem } from '@portal/contracts/notifications/notification'
import { type InboxChange, type InboxResumed, resumeLimit } from '@portal/contracts/notifications/socket'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { type PageQuery, type Pagination, paginationOf } from '@portal/contracts/shared/page'
import { type ActiveGeneration, singleGeneration } from '@portal/platform/generations/active-generation'
import type { Entry, ReadModel, ReadStore } from '@portal/platform/read-model/port'
import {
  headOf,
  headRef,
  type InboxHead,
  itemList,
  itemOf,
  type ItemState,
  type ReadWatermark,
  markList,
  markOf,
  readChangeSchema,
  readList,
} from '../read-model.ts'
import { createPresenter, type Presenter } from './presenter.ts'
import type { ContentCache } from './content-cache.ts'

/**
 * Reads the changes of an inbox after `since`, up to a head. Each sequence number is an arrival, a change of the read
 * state or a recall.
 */
const createChangesReader =
  (readModel: Pick<ReadModel, 'range'>, present: Presenter) =>
  async (userId: UserId, since: number, at: InboxHead): Promise<readonly InboxChange[] | 'text-missing'> => {
    const count = at.seq - since
    const partition = bucketKey(userId)
    const newest = { to: at.total, order: 'descending', limit: count } as const
    const entries = await readModel.range(partition, itemList(userId), newest)
    const arrived = await present(
      userId,
      entries.filter(({ value }) => itemOf(value).seq > since),
      at,
    )
    if (!arrived.isComplete) return 'text-missing'
    const changes: InboxChange[] = arrived.items.map((notification) => ({
      kind: 'arrived',
      seq: notification.seq,
      notification,
    }))
    if (changes.length < count) {
      const range = { from: since + 1, to: at.seq, order: 'ascending', limit: count } as const
      for (const { score, value } of await readModel.range(partition, readList(userId), range))
        changes.push({ ...readChangeSchema.parse(value), seq: score })
    }
    return changes.toSorted((a, b) => a.seq - b.seq)
  }

export type InboxPage = {
  /** False if the content of an item is missing at the moment. */
  readonly isComplete: boolean
  readonly notifications: InboxItem[]
  readonly pagination: Pagination
  readonly epoch: string
  readonly seq: number
  readonly unread: number
}

/** The head of an inbox and its epoch. */
export type InboxState = InboxHead & { readonly epoch: string }

/** Two pages of the same version are equal. */
export type InboxVersion = Pick<InboxState, 'epoch' | 'seq'>

/** An item with a head that is at least as new. */
type ItemInInbox = { readonly head: InboxState; readonly item: InboxItem }

/** The newest item at that head, and the previous mark-all. */
export type LatestInInbox = {
  readonly head: InboxState
  readonly newestId: NotificationId | undefined
  readonly lastMark: ReadWatermark | undefined
}

/** Reads inboxes. The cost of a call depends on the size of its result, never on the size of the inbox. */
export type InboxReader = {
  head(userId: UserId): Promise<InboxState>
  page(userId: UserId, query: PageQuery): Promise<InboxPage>
  /** As `page`, or 'unchanged' if the inbox is still at the known version. */
  pageIfChanged(userId: UserId, query: PageQuery, known: InboxVersion): Promise<InboxPage | 'unchanged'>
  /** Undefined if the user never got it, or if it was withdrawn. */
  item(userId: UserId, notificationId: NotificationId): Promise<ItemInInbox | undefined>
  /**
   * The changes after `since`, or a reset if there are too many or `since` is of another epoch. Without an epoch
   * (older clients), a `since` above the inbox's `seq` counts as another epoch.
   */
  changesSince(userId: UserId, since: number, epoch?: string): Promise<InboxResumed>
  /** A consistent snapshot for a mark-all. */
  latest(userId: UserId): Promise<LatestInInbox>
  /** The current epoch of the inboxes. */
  epoch(): string
  /** Calls the listener after each epoch change. Returns a function that unsubscribes. */
  onEpochChange(listener: () => void): () => void
}

/** Attempts if the inbox changes during the read. */
const maxReads = 5

/** Reads one generation, so that a switch during a read cannot mix two numberings. */
const createGenerationReader = (readModel: ReadStore, contentCache: ContentCache) => {
  const { epoch } = readModel
  const head = async (userId: UserId): Promise<InboxState> => ({
    ...headOf(await readModel.get(headRef(userId))),
    epoch,
  })

  const present = createPresenter(readModel, contentCache)

  const newestOf = async (list: string, userId: UserId, to?: number): Promise<Entry | undefined> => {
    const range = { ...(to !== undefined && { to }), order: 'descending', limit: 1 } as const
    return (await readModel.range(bucketKey(userId), list, range))[0]
  }

  const pageEntries = async (userId: UserId, { page, limit }: PageQuery, at: InboxHead): Promise<readonly Entry[]> => {
    const newest = at.total - (page - 1) * limit
    if (newest < 1) return []
    const range = { from: newest - limit + 1, to: newest, order: 'descending', limit } as const
    return readModel.range(bucketKey(userId), itemList(userId), range)
  }

  /**
   * Whether an entry may be newer than the head, whose unread count lacks it. Later arrivals and mark-alls do not
   * show in entries.
   */
  const hasLaterRead = async (userId: UserId, entries: readonly Entry[], at: InboxHead): Promise<boolean> => {
    const isChanged = ({ readAt, withdrawnAt }: ItemState) => readAt !== undefined || withdrawnAt !== undefined
    if (!entries.some(({ value }) => isChanged(itemOf(value)))) return false
    const lastChange = await newestOf(readList(userId), userId)
    return lastChange !== undefined && lastChange.score > at.seq
  }

  /** Reads a page for a head. Reads again after an intermediate read, so that counts and lines agree. */
  const readPage = async (userId: UserId, query: PageQuery, first: InboxState): Promise<InboxPage> => {
    let at = first
    let entries = await pageEntries(userId, query, at)
    for (let reads = 1; reads < maxReads && (await hasLaterRead(userId, entries, at)); reads++) {
      at = await head(userId)
      entries = await pageEntries(userId, query, at)
    }
    const { items, isComplete } = await present(userId, entries, at)
    const { seq, unread } = at
    return { isComplete, notifications: items, pagination: paginationOf(query, at.total), epoch, seq, unread }
  }

  const changesBetween = createChangesReader(readModel, present)

  return {
    head,
    latest: async (userId: UserId): Promise<LatestInInbox> => {
      const at = await head(userId)
      const [newest, lastMark] = await Promise.all([
        newestOf(itemList(userId), userId, at.total),
        newestOf(markList(userId), userId),
      ])
      return {
        head: at,
        newestId: newest && notificationIdSchema.parse(newest.member),
        lastMark: lastMark && markOf(lastMark.value),
      }
    },
    page: async (userId: UserId, query: PageQuery): Promise<InboxPage> => readPage(userId, query, await head(userId)),
    pageIfChanged: async (userId: UserId, query: PageQuery, known: InboxVersion): Promise<InboxPage | 'unchanged'> => {
      const at = await head(userId)
      return known.epoch === epoch && known.seq === at.seq ? 'unchanged' : readPage(userId, query, at)
    },
    item: async (userId: UserId, notificationId: NotificationId): Promise<ItemInInbox | undefined> => {
      const entry = await readModel.entry(bucketKey(userId), itemList(userId), notificationId)
      if (entry === undefined || itemOf(entry.value).withdrawnAt !== undefined) return undefined
      const at = await head(userId)
      const [item] = (await present(userId, [entry], at)).items
      return item && { head: at, item }
    },
    changesSince: async (userId: UserId, since: number, sinceEpoch: string | undefined): Promise<InboxResumed> => {
      const at = await head(userId)
      const { seq, unread } = at
      const reset = { reset: true, epoch, seq, unread } as const
      if (sinceEpoch === undefined ? since > seq : sinceEpoch !== epoch) return reset
      // The read model was reset to older data in the same epoch and is catching up; the client's changes will come
      // again.
      if (since >= seq) return { epoch, seq, unread, changes: [] }
      if (seq - since > resumeLimit) return reset
      const changes = await changesBetween(userId, since, at)
      // Do not send an arrival without content. The page shows it and may restore the content.
      if (changes === 'text-missing') return reset
      // Fewer changes mean that new reads overwrote a slot during this read.
      return changes.length === seq - since ? { epoch, seq, unread, changes: [...changes] } : reset
    },
  }
}

export const createInboxReader = (source: ReadModel | ActiveGeneration, contentCache: ContentCache): InboxReader => {
  const serving = 'pinned' in source ? source : singleGeneration(source)
  const readerOf = (reads: ReadStore) => ({ reads, reader: createGenerationReader(reads, contentCache) })
  let latest = readerOf(serving.pinned())
  const inGeneration = () => {
    const reads = serving.pinned()
    if (reads !== latest.reads) latest = readerOf(reads)
    return latest.reader
  }
  return {
    head: (userId) => inGeneration().head(userId),
    latest: (userId) => inGeneration().latest(userId),
    page: (userId, query) => inGeneration().page(userId, query),
    pageIfChanged: (userId, query, known) => inGeneration().pageIfChanged(userId, query, known),
    item: (userId, notificationId) => inGeneration().item(userId, notificationId),
    changesSince: (userId, since, epoch) => inGeneration().changesSince(userId, since, epoch),
    epoch: () => serving.epoch,
    onEpochChange: (listener) => {
      let known = serving.epoch
      return serving.onSwitch(() => {
        const before = known
        known = serving.epoch
        if (known !== before) listener()
      })
    },
  }
}
