import type { Audience } from '@portal/contracts/notifications/audience'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import type { NotificationButton } from '@portal/contracts/notifications/notification-button'
import { notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { CampaignContent } from './decider.ts'

/** Has either `userIds` or `audience`. */
export type SendRequest = {
  readonly userIds?: readonly UserId[] | undefined
  readonly audience?: Audience | undefined
  /** The count that the sender was shown. */
  readonly expectedCount?: number | undefined
  readonly title: string
  readonly message: string
  readonly type: NotificationType
  readonly button?: NotificationButton | undefined
  readonly isUrgent?: boolean | undefined
}

type SendRequestDeps = {
  readonly vault: Pick<PersonalDataVault, 'index'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/**
 * With a key, the same request by the same sender maps to the same stream. The fingerprint detects a different
 * request. It covers the rule instead of the users, because a retry may select others.
 */
const identify = (
  { vault, clockAndIds }: SendRequestDeps,
  request: SendRequest,
  sentBy: UserId,
  idempotencyKey?: string,
) => {
  if (idempotencyKey === undefined) return { notificationId: notificationIdSchema.parse(clockAndIds.newId()) }
  const { userIds, audience, title, message, type, button, isUrgent } = request
  return {
    notificationId: notificationIdSchema.parse(deterministicEventId('campaign', sentBy, idempotencyKey)),
    // Requests without a button that are not urgent have the fingerprint of earlier releases.
    fingerprint: vault.index(
      'request',
      JSON.stringify([
        userIds ?? audience,
        title,
        message,
        type,
        ...(button ? [button] : []),
        ...(isUrgent ? ['urgent'] : []),
      ]),
    ),
  }
}

/** What the request sends, without its recipients. */
export const campaignContentOf = (
  deps: SendRequestDeps,
  request: SendRequest,
  sentBy: UserId,
  idempotencyKey: string | undefined,
): CampaignContent => {
  const { notificationId, fingerprint } = identify(deps, request, sentBy, idempotencyKey)
  const { title, message, type, button, isUrgent, audience } = request
  const remindsOf = audience?.unreadOf
  return {
    // A lone surrogate is invalid text and takes twice the space in JSON.
    text: {
      notificationId,
      title: title.toWellFormed(),
      message: message.toWellFormed(),
      type,
      ...(button && { button: { label: button.label.toWellFormed(), url: button.url.toWellFormed() } }),
      ...(isUrgent && { isUrgent: true }),
    },
    sentBy,
    ...(fingerprint !== undefined && { fingerprint }),
    ...(remindsOf !== undefined && { remindsOf }),
  }
}
