import type { NotificationText } from '@portal/contracts/notifications/events'
import type { PushMessage } from '@portal/platform/outbound/port'

/** A push has at most 4 KiB, and phones show a few lines. */
const maxBodyChars = 300

const trailingHighSurrogate = /[\uD800-\uDBFF]$/

const excerpt = (text: string): string =>
  text.length <= maxBodyChars ? text : `${text.slice(0, maxBodyChars - 1).replace(trailingHighSurrogate, '')}…`

type PushedText = { readonly notificationId: string; readonly type: string; readonly lang?: string | undefined } & Pick<
  NotificationText,
  'title' | 'message' | 'image'
>

/** The push that shows a notification. */
export const messageOf = ({ notificationId, title, message, type, image, lang }: PushedText): PushMessage => ({
  notificationId,
  title,
  body: excerpt(message),
  url: `/notification/${notificationId}`,
  type,
  ...(image && { image }),
  ...(lang && { lang }),
})
