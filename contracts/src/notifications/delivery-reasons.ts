import type { DeliveryStatus } from './notification.ts'

/** Recorded reasons of delivery outcomes. The provider's error codes are reasons, too. */
export const deliveryReasons = {
  noDevice: 'no device',
  expired: 'expired',
  accountDeleted: 'account deleted',
  cancelledByAdmin: 'cancelled by an admin',
  withdrawn: 'withdrawn by an admin',
  providerUnavailable: 'provider unavailable',
  noAnswer: 'no answer from the provider',
} as const

const sentences: Readonly<Record<string, string>> = {
  [deliveryReasons.noDevice]:
    'It is in the inbox. No push was sent, because the person has no device registered for push.',
  [deliveryReasons.expired]: 'It is in the inbox. No push was sent, because the notification was too old by then.',
  [deliveryReasons.accountDeleted]: 'The account was deleted before the notification went out.',
  [deliveryReasons.cancelledByAdmin]: 'An admin stopped the delivery before it went out.',
  [deliveryReasons.withdrawn]: 'An admin withdrew the notification before it went out.',
  [deliveryReasons.providerUnavailable]:
    'It is in the inbox. The push service was unavailable for an hour. Resend it when the service is back.',
  [deliveryReasons.noAnswer]: 'It is in the inbox. The push service did not answer. Resend it.',
}

const defaults: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'It has not been shown yet. A push follows if no open screen shows it.',
  live: 'An open screen has shown it.',
  pushed: 'The push service accepted it for a device.',
  skipped: 'It is in the inbox. No push was sent.',
  failed: 'It is in the inbox. The push service rejected it. Resend it.',
  cancelled: 'The delivery was stopped before it went out.',
}

/** Explains a recipient's status in one or two sentences that say what to do. */
export const explainDelivery = (status: DeliveryStatus, reason?: string): string => {
  if (reason === undefined) return defaults[status]
  const known = sentences[reason]
  if (known !== undefined) return known
  return status === 'failed'
    ? `It is in the inbox. The push service rejected it (${reason}). Resend it.`
    : defaults[status]
}
