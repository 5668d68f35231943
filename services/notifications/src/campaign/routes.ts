import { listRecentNotifications, sendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/idempotency'
import type { UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import type { FastifyInstance } from 'fastify'
import { audienceErrorOf } from '../audience/routes.ts'
import type { InboxReader } from '../inbox/inbox-reader.ts'
import { notFound } from '../inbox/mark-read.ts'
import { maxAttempts } from './decider.ts'
import type { History } from './history.ts'
import type { SendRejection } from './record-campaign.ts'
import type { SendNotification } from './send-campaign.ts'

/** A selection can have thousands of invalid ids; name only the first. */
const namedIds = 10

const wrongRecipients = (message: string, userIds: readonly UserId[]): ApiError => {
  const named = userIds.slice(0, namedIds).join(', ')
  const more = userIds.length - namedIds
  return { code: 'invalid', message, errors: { userIds: more > 0 ? `${named} and ${more} more` : named } }
}

/** The error response for a rejection. */
export const apiErrorOf = (rejection: SendRejection): ApiError => {
  switch (rejection.reason) {
    case 'key-used-for-another':
      return { code: 'conflict', message: 'This Idempotency-Key was used for another notification' }
    case 'none-selected':
      return { code: 'invalid', message: 'Please select at least one user' }
    case 'selected-twice':
      return wrongRecipients('Some users are selected more than once', rejection.userIds)
    case 'unknown-users':
      return wrongRecipients('Some selected users do not exist', rejection.userIds)
    case 'unknown-programs':
      return audienceErrorOf(rejection)
    case 'too-many-selected':
      return { code: 'invalid', message: `A notification can go to at most ${limits.recipientsPerAudience} users` }
    case 'not-sent':
      return notFound
    case 'recalled':
      return { code: 'conflict', message: 'This notification was withdrawn' }
    case 'nothing-to-resend':
      return { code: 'conflict', message: 'No recipient whose push failed has a device to send to' }
    case 'resent-meanwhile':
      return { code: 'conflict', message: 'This notification was resent a moment ago. Please check its progress' }
    case 'too-many-attempts':
      return { code: 'conflict', message: `A notification can be sent at most ${maxAttempts} times` }
  }
}

type Deps = {
  readonly bind: BindRoute
  readonly inbox: Pick<InboxReader, 'page'>
  readonly history: History
  readonly send: SendNotification
}

export const campaignRoutes = (app: FastifyInstance, { bind, inbox, history, send }: Deps): void => {
  bind(app, sendNotification, async (call) => {
    const sent = await send(call.body, call.session.userId, call.headers[idempotencyKeyHeader], metadataOf(call))
    if (!sent.ok) return rejected(apiErrorOf(sent.error))
    const message = `Notification sent successfully to ${sent.value.successCount} devices`
    return ok({ success: true, message, ...sent.value })
  })

  bind(app, listRecentNotifications, async ({ session, query }) => {
    if (session.role === 'admin') return ok({ success: true, ...(await history(query)) })
    // The filter of the history does not apply to an inbox.
    const { page, limit } = query
    const { notifications, pagination } = await inbox.page(session.userId, { page, limit })
    return ok({ success: true, notifications, pagination })
  })
}
