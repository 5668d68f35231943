import { filterTextOf, filtersTexts, type InboxFilter, matchesText } from '@portal/contracts/notifications/inbox-filter'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import { createSemaphore } from '@portal/platform/async/semaphore'
import type { Entry, ReadStore } from '@portal/platform/read-model/port'
import { type InboxHead, isRead, itemList, itemOf } from '../read-model.ts'
import type { FillTexts } from '../placeholders/fill-texts.ts'
import { type CachedFilterText, createFilterTexts } from './filter-texts.ts'

/** A notification a day for thirteen years. */
const maxFilteredEntries = 5_000
const entriesPerRead = 200
/** Inboxes that one process filters at a time. */
const concurrency = 4

type FilterStore = Pick<ReadStore, 'range' | 'getMany'>

type FilteredEntries = {
  /** Newest first. */
  readonly entries: readonly Entry[]
  /** False if the text of a notification is missing at the moment. */
  readonly isComplete: boolean
  /** Of the values that searched texts depend on; undefined if all users read the same. */
  readonly valuesVersion: string | undefined
}

/**
 * Reads the entries of an inbox that a filter selects. The cost grows with the inbox, up to a bound: it reads the
 * documents that pages are made of, because another read model would cost a write per recipient.
 */
export const createFilterEntries = ({ fill }: Pick<FillTexts, 'fill'>) => {
  const textsOf = createFilterTexts()
  const withPermit = createSemaphore(concurrency)

  const filterEntries = async (
    readModel: FilterStore,
    userId: UserId,
    filter: InboxFilter,
    at: InboxHead,
  ): Promise<FilteredEntries> => {
    const matches = matchesText(filter)
    const found: Entry[] = []
    let isComplete = true
    let valuesVersion: string | undefined
    let unread = 0

    /** As the user reads them. */
    const filled = async (texts: readonly (CachedFilterText | undefined)[]): Promise<typeof texts> => {
      const toFill = (filter.q ?? '') === '' ? [] : texts.flatMap((text) => text?.toFill ?? [])
      if (toFill.length === 0) return texts
      const done = await fill(userId, toFill)
      if (!done.isComplete || (valuesVersion ?? done.version) !== done.version) isComplete = false
      valuesVersion = done.version
      const byId = new Map(done.texts.map((text) => [text.notificationId, filterTextOf(text)]))
      return texts.map((text) => (text?.toFill ? byId.get(text.toFill.notificationId) : text))
    }

    const select = async (candidates: readonly Entry[]): Promise<readonly Entry[]> => {
      if (!filtersTexts(filter)) return candidates
      const ids = candidates.map(({ member }) => notificationIdSchema.parse(member))
      const texts = await filled(await textsOf(readModel, ids))
      if (texts.includes(undefined)) isComplete = false
      return candidates.filter((_, index) => {
        const text = texts[index]
        return text !== undefined && matches(text)
      })
    }

    const oldest = Math.max(1, at.total - maxFilteredEntries + 1)
    for (let to = at.total; to >= oldest; to -= entriesPerRead) {
      if (filter.filter === 'unread' && unread >= at.unread) break
      await yieldToEventLoop()
      const range = { from: Math.max(oldest, to - entriesPerRead + 1), to, order: 'descending' } as const
      const entries = await readModel.range(bucketKey(userId), itemList(userId), { ...range, limit: entriesPerRead })
      const candidates = entries.filter(({ value }) => {
        const item = itemOf(value)
        return item.withdrawnAt === undefined && (filter.filter === undefined || !isRead(item, at))
      })
      unread += candidates.length
      found.push(...(await select(candidates)))
    }
    return { entries: found, isComplete, valuesVersion }
  }

  return (readModel: FilterStore, userId: UserId, filter: InboxFilter, at: InboxHead): Promise<FilteredEntries> =>
    withPermit(() => filterEntries(readModel, userId, filter, at))
}
export type FilterEntries = ReturnType<typeof createFilterEntries>
