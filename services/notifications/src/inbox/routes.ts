import { notificationNotFound } from '@portal/contracts/notifications/errors'
import {
  clickNotification,
  countUnread,
  getNotification,
  listNotifications,
  readAllNotifications,
  readNotification,
  unreadNotification,
} from '@portal/contracts/notifications/http'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { InboxPage, InboxQuery, InboxReader, PageVersion } from './inbox-reader.ts'
import type { RecordClick } from './clicks.ts'
import type { MarkRead } from './mark-read.ts'

/** Limit of the cache: 32 MiB, at two bytes per character. */
const maxCachedChars = 16 * 1024 * 1024

/**
 * Caches serialized responses of GET /notifications. An entry is valid for the inbox's epoch and sequence number,
 * which every request reads: every visible change increments the number. If its texts depend on their reader, it is valid
 * for the version of the reader's values, too.
 */
export const createPageCache = (inbox: Pick<InboxReader, 'page' | 'pageIfChanged'>) => {
  const cache = new LRUCache<string, PageVersion & { readonly body: string }>({
    maxSize: maxCachedChars,
    sizeCalculation: ({ body }, key) => body.length + key.length,
  })

  const bodyOf = (key: string, { isComplete, valuesVersion, ...page }: InboxPage): string => {
    const body = JSON.stringify({ success: true, ...page })
    // Missing content may be restored without a change of the inbox.
    if (isComplete) cache.set(key, { epoch: page.epoch, seq: page.seq, valuesVersion, body })
    return body
  }

  return async (userId: UserId, query: InboxQuery): Promise<string> => {
    const { page: number, limit, filter = '', type = [], q = '' } = query
    const key = [userId, number, limit, filter, type, q].join(' ')
    const cached = cache.get(key)
    if (cached === undefined) return bodyOf(key, await inbox.page(userId, query))
    const page = await inbox.pageIfChanged(userId, query, cached)
    return page === 'unchanged' ? cached.body : bodyOf(key, page)
  }
}

type InboxRoutesDeps = {
  readonly bind: BindRoute
  readonly inbox: InboxReader
  readonly markRead: MarkRead
  readonly recordClick: RecordClick
}

/** A user's own inbox. The user id comes only from the session. */
export const inboxRoutes = (app: FastifyInstance, { bind, inbox, markRead, recordClick }: InboxRoutesDeps): void => {
  const pageBody = createPageCache(inbox)

  bind(app, listNotifications, async ({ session, query }) => ok(await pageBody(session.userId, query)))

  bind(app, countUnread, async ({ session }) => {
    const { epoch, seq, unread } = await inbox.head(session.userId)
    return ok({ success: true, count: unread, epoch, seq, unread })
  })

  bind(app, getNotification, async ({ session, params }) => {
    const found = await inbox.item(session.userId, params.id)
    return found ? ok({ success: true, notification: found.item }) : rejected(notificationNotFound)
  })

  bind(app, readNotification, async (call) => {
    const read = await markRead.one(call.session.userId, call.params.id, metadataOf(call))
    return read.ok ? ok({ success: true, message: 'Notification marked as read', ...read.value }) : read
  })

  bind(app, unreadNotification, async (call) => {
    const marked = await markRead.unread(call.session.userId, call.params.id, metadataOf(call))
    return marked.ok ? ok({ success: true, message: 'Notification marked as unread', ...marked.value }) : marked
  })

  bind(app, clickNotification, async (call) => {
    const recorded = await recordClick(call.session.userId, call.params.id, metadataOf(call))
    return recorded.ok ? ok({ success: true, message: 'Click recorded' }) : recorded
  })

  bind(app, readAllNotifications, async (call) => {
    const { upTo, epoch } = call.query
    const version = upTo === undefined || epoch === undefined ? undefined : { seq: upTo, epoch }
    const read = await markRead.all(call.session.userId, metadataOf(call), version)
    return read.ok ? ok({ success: true, message: 'All notifications marked as read', ...read.value }) : read
  })
}
