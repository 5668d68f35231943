import * as error from '@portal/contracts/notifications/errors'
import { sendNotification } from '@portal/contracts/notifications/http'
import { idempotencyKeyHeader } from '@portal/contracts/shared/route'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { momentInIndia } from '@portal/contracts/notifications/moment-in-india'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { EventMetadata } from '@portal/platform/event-store/port'
import { type ApiError, type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { writes } from '@portal/platform/http/record-calls'
import type { AttemptLimit, AttemptLimiters } from '@portal/platform/limits/port'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { audienceErrorOf } from '../audience/routes.ts'
import type { SendRejection } from './record-campaign.ts'
import type { SendNotification } from './send-campaign.ts'
import type { SendRequest } from './send-request.ts'

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
    // 'missed' is about sends that are due, which no request asks for.
    case 'missed':
    case 'changed-meanwhile':
      return error.changedMeanwhile
    case 'discarded':
      return error.discarded
    case 'too-soon':
      return { ...error.tooSoon, errors: { sendAt: error.tooSoon.message } }
    case 'too-far-ahead':
      return { ...error.tooFarAhead, errors: { sendAt: error.tooFarAhead.message } }
    case 'too-many-named':
      return error.tooManyNamed
    case 'too-many-scheduled':
      return error.tooManyScheduled
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

export const scheduledMessage = (sendAt: string): string => `Scheduled for ${momentInIndia(Date.parse(sendAt))}`

const urgentSchema = z.object({ isUrgent: z.literal(true) })
const scheduledSchema = z.object({ sendAt: z.string() })

/** How the security log marks a send: those that go above the choices of their recipients, and those for later. */
const markOf = (body: unknown): string | undefined => {
  if (urgentSchema.safeParse(body).success) return 'urgent'
  return scheduledSchema.safeParse(body).success ? 'scheduled' : undefined
}

/** How the security log records a send. */
export const recordedSends = {
  event: 'notification-sent',
  methods: writes,
  markOf,
} as const

/** A program that loops must not fill the inboxes. */
export const sendsPerApiKey: AttemptLimit = { max: 60, windowMs: 60_000 }

/** Schedules a send. A repeated request gets the answer of the first. */
export type ScheduleNotification = (
  request: SendRequest & { readonly sendAt: string },
  sentBy: UserId,
  idempotencyKey: string | undefined,
  metadata: EventMetadata,
) => Promise<Result<ScheduledAnswer, SendRejection>>

type ScheduledAnswer = {
  readonly notificationId: NotificationId
  readonly targeted: number
  readonly leftOut?: number
  readonly scheduledFor: string
}

type CampaignRoutesDeps = {
  readonly bind: BindRoute
  readonly send: SendNotification
  readonly schedule: ScheduleNotification
  readonly limiters: AttemptLimiters
}

export const campaignRoutes = (app: FastifyInstance, deps: CampaignRoutesDeps): void => {
  const { bind, send, schedule, limiters } = deps
  const perApiKey = limiters.of('sendsPerApiKey', sendsPerApiKey)
  bind(app, sendNotification, async (call) => {
    const { apiKeyId } = call.session
    const wait = apiKeyId === undefined ? undefined : await perApiKey.attempt(apiKeyId)
    if (wait !== undefined) return rejected({ ...error.tooManySends, retryAfterSeconds: wait })
    const { sendAt, ...request } = call.body
    const key = call.headers[idempotencyKeyHeader]
    if (sendAt !== undefined) {
      const scheduled = await schedule({ ...request, sendAt }, call.session.userId, key, metadataOf(call))
      if (!scheduled.ok) return rejected(apiErrorOf(scheduled.error))
      const message = scheduledMessage(scheduled.value.scheduledFor)
      return ok({ success: true, message, successCount: 0, ...scheduled.value })
    }
    const sent = await send(request, call.session.userId, key, metadataOf(call))
    if (!sent.ok) return rejected(apiErrorOf(sent.error))
    return ok({ success: true, message: sentMessage(sent.value.successCount), ...sent.value })
  })
}
