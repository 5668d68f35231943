import {
  countUnread,
  getNotification,
  listNotifications,
  readAllNotifications,
  readNotification,
} from '@portal/contracts/notifications/http'
import { ok, rejected } from '@portal/platform/decider/result'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { apiErrors } from '../api-errors.ts'
import type { InboxReader } from './inbox-reader.ts'
import type { MarkRead } from './mark-read.ts'
import { createPageBodies } from './page-bodies.ts'

type Deps = { readonly bind: BindRoute; readonly inbox: InboxReader; readonly markRead: MarkRead }

/** A user's own inbox; whose it is comes from the session alone. */
export const inboxRoutes = (app: FastifyInstance, { bind, inbox, markRead }: Deps): void => {
  const pageBody = createPageBodies(inbox)

  bind(app, listNotifications, async ({ session, query }) => ok(await pageBody(session.userId, query)))

  bind(app, countUnread, async ({ session }) => {
    const { epoch, seq, unread } = await inbox.head(session.userId)
    return ok({ success: true, count: unread, epoch, seq, unread })
  })

  bind(app, getNotification, async ({ session, params }) => {
    const found = await inbox.item(session.userId, params.id)
    return found ? ok({ success: true, notification: found.item }) : rejected(apiErrors.notFound)
  })

  bind(app, readNotification, async (call) => {
    const read = await markRead.one(call.session.userId, call.params.id, metadataOf(call))
    return read.ok ? ok({ success: true, message: 'Notification marked as read', ...read.value }) : read
  })

  bind(app, readAllNotifications, async (call) => {
    const read = await markRead.all(call.session.userId, metadataOf(call))
    return read.ok ? ok({ success: true, message: 'All notifications marked as read', ...read.value }) : read
  })
}
