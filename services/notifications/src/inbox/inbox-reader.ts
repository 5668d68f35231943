import { type InboxFilter, isFiltered } from '@portal/contracts/notifications/inbox-filter'
import type { InboxItem } from '@portal/contracts/notifications/notification'
import { type InboxResumed, resumeLimit } from '@portal/contracts/notifications/socket'
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
  markedUnreadOf,
  markedUnreadRef,
  markOf,
  readList,
} from '../read-model.ts'
import type { FillTexts } from '../placeholders/fill-texts.ts'
import { createChangesReader } from './changes-reader.ts'
import { createPresenter } from './presenter.ts'
import { createFilterEntries, type FilterEntries } from './filter-entries.ts'
import type { ContentCache } from './content-cache.ts'
import { newestEntry, newestUpTo } from './newest-entry.ts'

export type InboxPage = {
  /** False if the content of an item is missing at the moment. */
  readonly isComplete: boolean
  /** Of the values that its texts depend on; undefined if all users read the same. */
  readonly valuesVersion: string | undefined
  readonly notifications: InboxItem[]
  readonly pagination: Pagination
  readonly epoch: string
  readonly seq: number
  readonly unread: number
}

/** The head of an inbox and its epoch. */
export type InboxState = InboxHead & { readonly epoch: string }

/** A page of the inbox, or of what a filter selects. */
export type InboxQuery = PageQuery & InboxFilter

export type InboxVersion = Pick<InboxState, 'epoch' | 'seq'>

/** Two pages of the same inbox version and values are equal. */
export type PageVersion = InboxVersion & Pick<InboxPage, 'valuesVersion'>

/** An item with a head that is at least as new. */
export type ItemInInbox = {
  readonly head: InboxState
  readonly item: InboxItem
  /** How often the user has marked it as unread. */
  readonly timesMarkedUnread: number
  /** Whether the user has followed its button. */
  readonly isClicked: boolean
}

/** The newest item up to a sequence number, and the previous mark-all. */
export type LatestInInbox = {
  readonly head: InboxState
  readonly newestId: NotificationId | undefined
  /** How many arrivals there are up to the newest item. */
  readonly arrivals: number
  readonly lastMark: ReadWatermark | undefined
  /** How often the user has marked any notification as unread. */
  readonly unreadMarks: number
}

/**
 * Reads inboxes. The cost of a call depends on the size of its result, never on the size of the inbox. A filter is the
 * exception; see filter-entries.ts.
 */
export type InboxReader = {
  head(userId: UserId): Promise<InboxState>
  page(userId: UserId, query: InboxQuery): Promise<InboxPage>
  /** Reads a page like `page`, or returns 'unchanged' if it is still at the known version. */
  pageIfChanged(userId: UserId, query: InboxQuery, known: PageVersion): Promise<InboxPage | 'unchanged'>
  /** Undefined if the user never got it, or if it was withdrawn. */
  item(userId: UserId, notificationId: NotificationId): Promise<ItemInInbox | undefined>
  /** How many notifications the user has marked as unread and not read since. May count withdrawn ones. */
  countMarkedUnread(userId: UserId): Promise<number>
  /**
   * The changes after `since`, or a reset if there are too many or `since` is of another epoch. Without an epoch
   * (older clients), a `since` above the inbox's `seq` counts as another epoch.
   */
  changesSince(userId: UserId, since: number, epoch?: string): Promise<InboxResumed>
  /** A consistent snapshot for a mark-all, of everything or up to a version. One of another epoch means everything. */
  latest(userId: UserId, upTo?: InboxVersion): Promise<LatestInInbox>
  /** The current epoch of the inboxes. */
  epoch(): string
  /** Calls the listener after each epoch change. Returns a function that unsubscribes. */
  onEpochChange(listener: () => void): () => void
}

/** Attempts if the inbox changes during the read. */
const maxReads = 5

/** Groups entries, newest first, whose arrivals follow one another. */
const consecutiveRuns = (entries: readonly Entry[]): readonly (readonly Entry[])[] => {
  const runs: Entry[][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run?.at(-1)?.score === entry.score + 1) run.push(entry)
    else runs.push([entry])
  }
  return runs
}

/** Where texts come from, and how their reader sees them. */
type TextPorts = { readonly contentCache: ContentCache; readonly fillTexts: FillTexts }

/** Reads one generation, so that a switch during a read cannot mix two numberings. */
const createGenerationReader = (
  readModel: ReadStore,
  { contentCache, fillTexts, filterEntries }: TextPorts & { readonly filterEntries: FilterEntries },
) => {
  const { epoch } = readModel
  const head = async (userId: UserId): Promise<InboxState> => ({
    ...headOf(await readModel.get(headRef(userId))),
    epoch,
  })

  const present = createPresenter(readModel, contentCache, fillTexts)

  const pageEntries = async (userId: UserId, { page, limit }: PageQuery, at: InboxHead): Promise<readonly Entry[]> => {
    const newest = at.total - (page - 1) * limit
    if (newest < 1) return []
    const range = { from: newest - limit + 1, to: newest, order: 'descending', limit } as const
    return readModel.range(bucketKey(userId), itemList(userId), range)
  }

  /** Whether the read state has changed since the head was read. */
  const isOutdated = async (userId: UserId, at: InboxHead): Promise<boolean> => {
    const lastChange = await newestEntry(readModel, readList(userId), userId)
    return lastChange !== undefined && lastChange.score > at.seq
  }

  /**
   * Whether an entry may be newer than the head, whose unread count lacks it. Later arrivals and mark-alls do not
   * show in entries.
   */
  const hasLaterRead = async (userId: UserId, entries: readonly Entry[], at: InboxHead): Promise<boolean> => {
    const isChanged = ({ readAt, withdrawnAt, markedUnread }: ItemState) =>
      [readAt, withdrawnAt, markedUnread].some((change) => change !== undefined)
    return entries.some(({ value }) => isChanged(itemOf(value))) && isOutdated(userId, at)
  }

  /** Reads a page for a head. Reads again after an intermediate read, so that counts and lines agree. */
  const readWholePage = async (userId: UserId, query: PageQuery, first: InboxState): Promise<InboxPage> => {
    let at = first
    let entries = await pageEntries(userId, query, at)
    for (let reads = 1; reads < maxReads && (await hasLaterRead(userId, entries, at)); reads++) {
      at = await head(userId)
      entries = await pageEntries(userId, query, at)
    }
    const { items: notifications, ...rest } = await present(userId, entries, at)
    const { seq, unread } = at
    return { ...rest, notifications, pagination: paginationOf(query, at.total), epoch, seq, unread }
  }

  /** Reads what a filter selects, like `readWholePage`. A read during it can also hide an entry, so every one counts. */
  const readFilteredPage = async (userId: UserId, query: InboxQuery, first: InboxState): Promise<InboxPage> => {
    let at = first
    let selected = await filterEntries(readModel, userId, query, at)
    for (let reads = 1; reads < maxReads && (await isOutdated(userId, at)); reads++) {
      at = await head(userId)
      selected = await filterEntries(readModel, userId, query, at)
    }
    const { page, limit } = query
    const shown = selected.entries.slice((page - 1) * limit, page * limit)
    const { seq, unread } = at
    const presented = await Promise.all(consecutiveRuns(shown).map((run) => present(userId, run, at)))
    const versions = new Set([selected, ...presented].flatMap(({ valuesVersion }) => valuesVersion ?? []))
    return {
      isComplete: selected.isComplete && presented.every(({ isComplete }) => isComplete) && versions.size <= 1,
      valuesVersion: [...versions][0],
      notifications: presented.flatMap(({ items }) => items),
      pagination: paginationOf(query, selected.entries.length),
      epoch,
      seq,
      unread,
    }
  }

  const readPage = (userId: UserId, query: InboxQuery, first: InboxState): Promise<InboxPage> =>
    isFiltered(query) ? readFilteredPage(userId, query, first) : readWholePage(userId, query, first)

  const changesBetween = createChangesReader(readModel, present)

  return {
    head,
    latest: async (userId: UserId, upTo?: InboxVersion): Promise<LatestInInbox> => {
      const at = await head(userId)
      const maxSeq = upTo?.epoch === epoch ? upTo.seq : at.seq
      const [newest, lastMark, marked] = await Promise.all([
        newestUpTo(readModel, userId, at, maxSeq),
        newestEntry(readModel, markList(userId), userId),
        readModel.get(markedUnreadRef(userId)),
      ])
      return {
        head: at,
        newestId: newest && notificationIdSchema.parse(newest.member),
        arrivals: newest?.score ?? 0,
        lastMark: lastMark && markOf(lastMark.value),
        unreadMarks: markedUnreadOf(marked).marks,
      }
    },
    page: async (userId: UserId, query: InboxQuery): Promise<InboxPage> => readPage(userId, query, await head(userId)),
    pageIfChanged: async (userId: UserId, query: InboxQuery, known: PageVersion): Promise<InboxPage | 'unchanged'> => {
      const { valuesVersion } = known
      const [at, version] = await Promise.all([
        head(userId),
        valuesVersion === undefined ? undefined : fillTexts.version(userId),
      ])
      const isSame = known.epoch === epoch && known.seq === at.seq && version === valuesVersion
      return isSame ? 'unchanged' : readPage(userId, query, at)
    },
    item: async (userId: UserId, notificationId: NotificationId): Promise<ItemInInbox | undefined> => {
      const entry = await readModel.entry(bucketKey(userId), itemList(userId), notificationId)
      const state = entry && itemOf(entry.value)
      if (entry === undefined || state === undefined || state.withdrawnAt !== undefined) return undefined
      const at = await head(userId)
      const [item] = (await present(userId, [entry], at)).items
      const timesMarkedUnread = state.markedUnread?.times ?? 0
      return item && { head: at, item, timesMarkedUnread, isClicked: state.clickedAt !== undefined }
    },
    countMarkedUnread: async (userId: UserId): Promise<number> =>
      markedUnreadOf(await readModel.get(markedUnreadRef(userId))).open.length,
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

export const createInboxReader = (source: ReadModel | ActiveGeneration, texts: TextPorts): InboxReader => {
  const serving = 'pinned' in source ? source : singleGeneration(source)
  const filterEntries = createFilterEntries(texts.fillTexts)
  const readerOf = (reads: ReadStore) => ({ reads, reader: createGenerationReader(reads, { ...texts, filterEntries }) })
  let latest = readerOf(serving.pinned())
  const inGeneration = () => {
    const reads = serving.pinned()
    if (reads !== latest.reads) latest = readerOf(reads)
    return latest.reader
  }
  return {
    head: (userId) => inGeneration().head(userId),
    latest: (userId, upTo) => inGeneration().latest(userId, upTo),
    page: (userId, query) => inGeneration().page(userId, query),
    pageIfChanged: (userId, query, known) => inGeneration().pageIfChanged(userId, query, known),
    item: (userId, notificationId) => inGeneration().item(userId, notificationId),
    countMarkedUnread: (userId) => inGeneration().countMarkedUnread(userId),
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
