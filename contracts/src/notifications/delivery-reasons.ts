import { dateTimeInIndia, indiaZone } from '../shared/india-time.ts'
import type { DeliveryStatus } from './notification.ts'

/** Recorded reasons of delivery outcomes. The provider's error codes are reasons, too. */
export const deliveryReasons = {
  noDevice: 'no device',
  expired: 'expired',
  turnedOff: 'turned off by the recipient',
  summary: 'in a summary',
  /** The recipient is still pending. */
  postponed: 'held',
  accountDeleted: 'account deleted',
  accountDeactivated: 'account deactivated',
  cancelledByAdmin: 'cancelled by an admin',
  withdrawn: 'withdrawn by an admin',
  providerUnavailable: 'provider unavailable',
  noAnswer: 'no answer from the provider',
  noAnswerInTime: 'no answer in time',
  notHandedOver: 'push could not be handed over',
  keyRefused: 'push key refused',
  privateEndpoint: 'push service not public',
  sampleData: 'sample data',
} as const

/** The notification is in the inbox in any case; only the push has failed. */
const inInbox = (cause: string, action: string): string => `It is in the inbox. ${cause} ${action}`

const outage = inInbox('The push service was not available.', 'Resend it when the service works again.')
const noAnswer = inInbox('The push service did not answer.', 'Resend it.')
const wrongSettings = inInbox(
  "The push service rejected the portal's credentials.",
  'Correct the push settings, then resend it.',
)
const wrongDevice = inInbox(
  "The push service rejected the person's device.",
  'They get pushes again when they log in on it.',
)
const tooMany = inInbox('The push service limits how many pushes it accepts.', 'Resend it in an hour.')
const wrongPush = inInbox('The push service could not read the push.', 'Report this to the developers.')

/** Sentences by the reasons of `deliveryReasons`, then by the error codes of firebase-admin. */
const sentences: ReadonlyMap<string, string> = new Map([
  [deliveryReasons.noDevice, 'It is in the inbox. No device is registered for push.'],
  [deliveryReasons.expired, 'It is in the inbox. It was too old for a push. Send a new one if it still matters.'],
  [deliveryReasons.turnedOff, 'It is in the inbox. The person has turned off pushes of this type.'],
  [deliveryReasons.summary, 'The push service accepted it for a device, in a summary with others.'],
  [deliveryReasons.postponed, 'It is in the inbox. The push waits, because of quiet hours or of many pushes.'],
  [deliveryReasons.accountDeleted, 'The account was deleted before the notification went out.'],
  [deliveryReasons.accountDeactivated, 'The account was deactivated before a push went out.'],
  [deliveryReasons.cancelledByAdmin, 'An admin stopped the delivery before it went out.'],
  [deliveryReasons.withdrawn, 'An admin withdrew the notification before it went out.'],
  [deliveryReasons.providerUnavailable, outage],
  [deliveryReasons.noAnswer, noAnswer],
  [deliveryReasons.noAnswerInTime, noAnswer],
  [
    deliveryReasons.notHandedOver,
    inInbox('The portal could not hand the push over.', 'Check the log, then resend it.'),
  ],
  [
    deliveryReasons.keyRefused,
    inInbox("The push service rejected the portal's key.", 'They get pushes again when they open the portal.'),
  ],
  [deliveryReasons.privateEndpoint, wrongDevice],
  [deliveryReasons.sampleData, 'It is part of the sample data. Nothing was sent.'],

  ['server-unavailable', outage],
  ['internal-error', inInbox('The push service had an internal error.', 'Resend it.')],
  ['unknown-error', inInbox('The push service rejected it without a known reason.', 'Resend it.')],
  ['network-error', inInbox('The push service could not be reached.', 'Check the network, then resend it.')],
  ['network-timeout', noAnswer],
  ['unable-to-parse-response', inInbox('The push service gave an unreadable answer.', 'Resend it.')],

  ['mismatched-credential', wrongSettings],
  ['third-party-auth-error', wrongSettings],
  ['authentication-error', wrongSettings],
  ['invalid-credential', wrongSettings],

  ['invalid-registration-token', wrongDevice],
  ['registration-token-not-registered', wrongDevice],
  ['installation-id-not-registered', wrongDevice],
  ['invalid-recipient', wrongDevice],
  ['invalid-package-name', wrongDevice],

  ['device-message-rate-exceeded', tooMany],
  ['message-rate-exceeded', tooMany],

  ['payload-size-limit-exceeded', inInbox('The text is too long for a push.', 'A shorter notification can be pushed.')],
  ['invalid-argument', wrongPush],
  ['invalid-payload', wrongPush],
  ['invalid-data-payload-key', wrongPush],
  ['invalid-options', wrongPush],
])

const defaults: Readonly<Record<DeliveryStatus, string>> = {
  pending: 'It has not been shown yet. A push follows if no open screen shows it.',
  live: 'An open screen has shown it.',
  pushed: 'The push service accepted it for a device.',
  skipped: 'It is in the inbox. No push was sent.',
  failed: inInbox('The push service rejected it.', 'Resend it.'),
  cancelled: 'The delivery was stopped before it went out.',
}

/** Explains a push that waits until then; ISO 8601. */
export const explainPostponed = (until: string): string => {
  const time = `${dateTimeInIndia(Date.parse(until)).slice(0, -3)} ${indiaZone.shortName}`
  return `It is in the inbox. The push waits until ${time}, because of quiet hours or of many pushes.`
}

/** Explains a recipient's status in one or two sentences that say what to do. */
export const explainDelivery = (status: DeliveryStatus, reason?: string): string => {
  if (reason === undefined) return defaults[status]
  const known = sentences.get(reason)
  if (known !== undefined) return known
  return status === 'failed' ? inInbox(`The push service rejected it (${reason}).`, 'Resend it.') : defaults[status]
}
