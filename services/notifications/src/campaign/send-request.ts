import type { NotificationText } from '@portal/contracts/notifications/events'
import type { NotificationType } from '@portal/contracts/notifications/notification'
import type { NotificationButton } from '@portal/contracts/notifications/notification-button'
import { placeholdersIn } from '@portal/contracts/notifications/placeholders'
import type { Translation } from '@portal/contracts/notifications/translation'
import { type NotificationId, notificationIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { Rule } from '../audience/rules.ts'
import type { CampaignContent } from './decider.ts'

/** Has either `userIds` or `audience`. */
export type RequestedRecipients = {
  readonly userIds?: readonly UserId[] | undefined
  readonly audience?: Rule | undefined
  /** Leaves out those of the `userIds` who do not exist or are deactivated. Otherwise they are an error. */
  readonly onlyExisting?: true
}

export type SendRequest = RequestedRecipients & {
  /** The count that the sender was shown. */
  readonly expectedCount?: number | undefined
  readonly title: string
  readonly message: string
  readonly type: NotificationType
  readonly button?: NotificationButton | undefined
  readonly image?: string | undefined
  readonly isUrgent?: boolean | undefined
  readonly translation?: Translation | undefined
  /** ISO 8601. At once if absent. */
  readonly sendAt?: string | undefined
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
  const { userIds, audience, title, message, type, button, image, isUrgent, translation, sendAt } = request
  return {
    notificationId: notificationIdSchema.parse(deterministicEventId('campaign', sentBy, idempotencyKey)),
    // Requests with none of the optional parts have the fingerprint of earlier releases.
    fingerprint: vault.index(
      'request',
      JSON.stringify([
        userIds ?? audience,
        title,
        message,
        type,
        ...(button ? [button] : []),
        ...(image ? [{ image }] : []),
        ...(isUrgent ? ['urgent'] : []),
        ...(translation ? [{ translation }] : []),
        ...(sendAt === undefined ? [] : [{ sendAt }]),
      ]),
    ),
  }
}

const wellFormed = ({ lang, title, message }: Translation): Translation => ({
  lang,
  title: title.toWellFormed(),
  message: message.toWellFormed(),
})

/** The text of a request. */
export const textOf = (
  notificationId: NotificationId,
  { title, message, type, button, image, isUrgent, translation }: Omit<SendRequest, keyof RequestedRecipients>,
): NotificationText => ({
  notificationId,
  // A lone surrogate is invalid text and takes twice the space in JSON.
  title: title.toWellFormed(),
  message: message.toWellFormed(),
  type,
  ...(button && { button: { label: button.label.toWellFormed(), url: button.url.toWellFormed() } }),
  ...(image && { image: image.toWellFormed() }),
  ...(isUrgent && { isUrgent: true }),
  ...(translation && { translation: wellFormed(translation) }),
  ...(placeholdersIn(title, message, translation?.title ?? '', translation?.message ?? '').size > 0 && {
    hasPlaceholders: true,
  }),
})

/** What the request sends, without its recipients. */
export const campaignContentOf = (
  deps: SendRequestDeps,
  request: SendRequest,
  sentBy: UserId,
  idempotencyKey: string | undefined,
): CampaignContent => {
  const { notificationId, fingerprint } = identify(deps, request, sentBy, idempotencyKey)
  const remindsOf = request.audience?.unreadOf
  return {
    text: textOf(notificationId, request),
    sentBy,
    ...(fingerprint !== undefined && { fingerprint }),
    ...(remindsOf !== undefined && { remindsOf }),
  }
}
