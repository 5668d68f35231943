import { fieldsOf } from './message.ts'

/** More than a device shows. */
export const inboxPath = '/notifications?limit=50'

type InboxNews = {
  /** Absent in an answer that is not of the portal. */
  readonly unread?: number
  /** The tags of shown pushes that were read or withdrawn, as far as the newest page says. */
  readonly isOver: (tag: string) => boolean
}

/** Parsed without zod, as the messages are. */
export const inboxNews = (answer: unknown): InboxNews => {
  const { unread, notifications } = fieldsOf(answer)
  if (typeof unread !== 'number' || !Array.isArray(notifications)) return { isOver: () => false }
  const items: readonly unknown[] = notifications
  const over = new Set(
    items
      .map(fieldsOf)
      .filter(({ isRead, withdrawnAt }) => isRead === true || withdrawnAt !== undefined)
      .map(({ _id }) => _id),
  )
  // A push without a tag is of no notification.
  return { unread, isOver: (tag) => tag !== '' && (unread === 0 || over.has(tag)) }
}
