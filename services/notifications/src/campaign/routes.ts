import * as error from '@portal/contracts/notifications/errors'
import { sendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import type { UserId } from '@portal/contracts/shared/ids'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { writes } from '@portal/platform/http/record-calls'
import type { AttemptLimit, AttemptLimiters } from '@portal/platform/limits/port'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { audienceErrorOf } from '../audience/routes.ts'
import type { SendRejection } from './record-campaign.ts'
import type { SendNotification } from './send-campaign.ts'

/** A selection can have thousands of invalid ids; name only the first. */
const namedIds = 10

const wrongRecipients = (apiError: ApiError, userIds: readonly UserId[]): ApiError => {
  const named = userIds.slice(0, namedIds).join(', ')
  const more = userIds.length - namedIds
  return { ...apiError, errors: { userIds: more > 0 ? `${named} and ${more} more` : named } }
}

/** The error response for a rejection. */
export const apiErrorOf = (rejection: SendRejection): ApiError => {
  switch (rejection.reason) {
    case 'key-used-for-another':
      return error.keyUsed
    case 'none-selected':
      return error.noneSelected
    case 'selected-twice':
      return wrongRecipients(error.selectedTwice, rejection.userIds)
    case 'unknown-users':
      return wrongRecipients(error.unknownUsers, rejection.userIds)
    case 'unknown-programs':
      return audienceErrorOf(rejection)
    case 'too-many-selected':
      return error.tooManySelected
    case 'not-sent':
      return error.notificationNotFound
    case 'recalled':
      return error.recalled
    case 'taken-back':
      return error.takenBack
    case 'already-sent':
      return error.alreadySent
    case 'nothing-to-resend':
      return error.nothingToResend
    case 'resent-meanwhile':
      return error.resentMeanwhile
    case 'too-many-attempts':
      return error.tooManyAttempts
  }
}

/** Says how many devices have shown it, in the words of the specification: plural also for one device. */
export const sentMessage = (devices: number): string => `Notification sent successfully to ${devices} devices`

const urgentSchema = z.object({ isUrgent: z.literal(true) })

/** How the security log records a send. It names those that go above the choices of their recipients. */
export const recordedSends = {
  event: 'notification-sent',
  methods: writes,
  markOf: (body: unknown) => (urgentSchema.safeParse(body).success ? 'urgent' : undefined),
} as const

/** A program that loops must not fill the inboxes. */
export const sendsPerApiKey: AttemptLimit = { max: 60, windowMs: 60_000 }

type CampaignRoutesDeps = {
  readonly bind: BindRoute
  readonly send: SendNotification
  readonly limiters: AttemptLimiters
}

export const campaignRoutes = (app: FastifyInstance, { bind, send, limiters }: CampaignRoutesDeps): void => {
  const perApiKey = limiters.of('sendsPerApiKey', sendsPerApiKey)
  bind(app, sendNotification, async (call) => {
    const { apiKeyId } = call.session
    const wait = apiKeyId === undefined ? undefined : await perApiKey.attempt(apiKeyId)
    if (wait !== undefined) return rejected({ ...error.tooManySends, retryAfterSeconds: wait })
    const sent = await send(call.body, call.session.userId, call.headers[idempotencyKeyHeader], metadataOf(call))
    if (!sent.ok) return rejected(apiErrorOf(sent.error))
    return ok({ success: true, message: sentMessage(sent.value.successCount), ...sent.value })
  })
}
