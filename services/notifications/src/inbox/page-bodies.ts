import type { UserId } from '@portal/contracts/shared/ids'
import type { PageQuery } from '@portal/contracts/shared/page'
import { LRUCache } from 'lru-cache'
import type { InboxReader } from './inbox-reader.ts'

/** Two bytes a character at most: 32 MiB. */
const cachedChars = 16 * 1024 * 1024

/**
 * Answers of GET /notifications as they go out. An answer holds as long as the inbox's epoch and sequence number, which are read
 * each time: every change that could be seen in a page raises the number, and another numbering has another epoch.
 */
export const createPageBodies = (inbox: Pick<InboxReader, 'head' | 'page'>) => {
  const cache = new LRUCache<string, { readonly epoch: string; readonly seq: number; readonly body: string }>({
    maxSize: cachedChars,
    sizeCalculation: ({ body }) => body.length,
  })
  return async (userId: UserId, query: PageQuery): Promise<string> => {
    const { epoch, seq } = await inbox.head(userId)
    const key = `${userId} ${query.page} ${query.limit}`
    const known = cache.get(key)
    if (known?.epoch === epoch && known.seq === seq) return known.body
    const { isComplete, ...page } = await inbox.page(userId, query)
    const body = JSON.stringify({ success: true, ...page })
    // A text that is missing now may be restored without a change of the inbox.
    if (isComplete) cache.set(key, { epoch: page.epoch, seq: page.seq, body })
    return body
  }
}
