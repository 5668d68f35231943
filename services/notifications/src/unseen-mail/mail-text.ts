import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { Mail } from '@portal/platform/outbound/port'
import { shortened } from '@portal/platform/outbound/push-data'

/** Notifications that an e-mail shows. It counts the others. */
export const maxShown = 20
const maxExcerptBytes = 600

type Shown = Pick<InboxItem, 'title' | 'message'>

type UnseenMail = {
  readonly shown: readonly Shown[]
  /** Of all unread ones. */
  readonly total: number
  /** The portal's, for links. */
  readonly origin: string
  readonly unsubscribeUrl: string
}

/** The e-mail about what a user has not read. */
export const unseenMailOf = ({ shown, total, origin, unsubscribeUrl }: UnseenMail): Omit<Mail, 'to' | 'userIds'> => {
  const [first] = shown
  const more = total - shown.length
  const paragraphs = [
    total === 1 ? 'You have an unread notification:' : `You have ${total} unread notifications:`,
    ...shown.map(({ title, message }) => `${title}\n${shortened(message, maxExcerptBytes)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    `Open your notifications: ${origin}/notification`,
    `Choose what you get by email: ${origin}/profile/notifications`,
    `Stop these emails: ${unsubscribeUrl}`,
  ]
  return {
    subject: total === 1 && first ? first.title : `${total} unread notifications`,
    text: `${paragraphs.join('\n\n')}\n`,
    unsubscribeUrl,
  }
}
