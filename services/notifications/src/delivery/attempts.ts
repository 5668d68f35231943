import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { type NotificationId, notificationIdSchema } from '@portal/contracts/shared/ids'

/** One attempt to deliver a campaign. The send is the first, and each resend is another. */
export type Attempt = {
  readonly notificationId: NotificationId
  readonly attempt: number
}

const separator = '#'

/** The notification's id for the first attempt, as recorded before there were resends; `id#2` and so on for the others. */
export const attemptKey = ({ notificationId, attempt }: Attempt): string =>
  attempt === 1 ? notificationId : `${notificationId}${separator}${attempt}`

export const attemptFrom = (key: string): Attempt => {
  const [notificationId, attempt = '1'] = key.split(separator)
  return { notificationId: notificationIdSchema.parse(notificationId), attempt: Number(attempt) }
}

/** An outcome of that attempt, as recorded: the first attempt is implied. */
export const outcomeOf = ({ attempt }: Pick<Attempt, 'attempt'>, outcome: DeliveryOutcome): DeliveryOutcome =>
  attempt === 1 ? outcome : { ...outcome, attempt }
