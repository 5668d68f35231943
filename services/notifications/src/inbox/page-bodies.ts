import type { UserId } from '@portal/contracts/shared/ids'
import type { PageQuery } from '@portal/contracts/shared/page'
import { LRUCache } from 'lru-cache'
import type { InboxPage, InboxReader } from './inbox-reader.ts'

/** Two bytes a character at most: 32 MiB. */
const cachedChars = 16 * 1024 * 1024

/**
 * Answers of GET /notifications as they go out. An answer holds as long as the inbox's epoch and sequence number, which are read
 * each time: every change that could be seen in a page raises the number, and another numbering has another epoch.
 */
export const createPageBodies = (inbox: Pick<InboxReader, 'page' | 'pageIfChanged'>) => {
  const cache = new LRUCache<string, { readonly epoch: string; readonly seq: number; readonly body: string }>({
    maxSize: cachedChars,
    sizeCalculation: ({ body }) => body.length,
  })

  const bodyOf = (key: string, { isComplete, ...page }: InboxPage): string => {
    const body = JSON.stringify({ success: true, ...page })
    // A text that is missing now may be restored without a change of the inbox.
    if (isComplete) cache.set(key, { epoch: page.epoch, seq: page.seq, body })
    return body
  }

  return async (userId: UserId, query: PageQuery): Promise<string> => {
    const key = `${userId} ${query.page} ${query.limit}`
    const cached = cache.get(key)
    if (cached === undefined) return bodyOf(key, await inbox.page(userId, query))
    const page = await inbox.pageIfChanged(userId, query, cached)
    return page === 'unchanged' ? cached.body : bodyOf(key, page)
  }
}
