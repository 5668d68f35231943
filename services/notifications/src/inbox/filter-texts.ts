import { type FilterText, filterTextOf } from '@portal/contracts/notifications/inbox-filter'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import { dependsOnReader } from '../placeholders/fill-texts.ts'
import { textRef } from '../read-model.ts'
import { type ShownText, shownTextOf } from './stored-text.ts'

/** One byte per character for most texts. Texts beyond are read for each search. */
const maxCachedChars = 16 * 1024 * 1024
/** A recall erases the text, and another process may have applied it. */
const cachedForMs = 60_000

/** A text that depends on its reader has words only once there is one. */
export type CachedFilterText = FilterText & { readonly toFill?: ShownText }

const cachedTextOf = (shown: ShownText): CachedFilterText =>
  dependsOnReader(shown)
    ? { ...filterTextOf({ ...shown, title: '', message: '' }), toFill: shown }
    : filterTextOf(shown)

const charsOf = ({ title, message, translation }: ShownText): number =>
  title.length + message.length + (translation ? translation.title.length + translation.message.length : 0)

/**
 * The texts of notifications as filters see them. They have a cache of their own: a search must not evict the texts of
 * pages.
 */
export const createFilterTexts = () => {
  const cache = new LRUCache<NotificationId, CachedFilterText>({
    maxSize: maxCachedChars,
    ttl: cachedForMs,
    sizeCalculation: ({ words, toFill }) => words.length + (toFill ? 2 * charsOf(toFill) : 0) + 50,
  })

  /** Returns texts in the given order; undefined for one that is missing or withdrawn. */
  return async (
    readModel: Pick<ReadStore, 'getMany'>,
    ids: readonly NotificationId[],
  ): Promise<readonly (CachedFilterText | undefined)[]> => {
    const known = new Map<NotificationId, CachedFilterText>()
    for (const id of ids) {
      const text = cache.get(id)
      if (text) known.set(id, text)
    }
    const missing = ids.filter((id) => !known.has(id))
    const documents = missing.length === 0 ? [] : await readModel.getMany(missing.map(textRef))
    for (const [index, id] of missing.entries()) {
      const document = documents[index]
      const shown = document === undefined ? undefined : shownTextOf(id, document)
      if (!shown || shown.isWithdrawn) continue
      const text = cachedTextOf(shown)
      cache.set(id, text)
      known.set(id, text)
    }
    return ids.map((id) => known.get(id))
  }
}
