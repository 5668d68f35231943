import { type NotificationText, notificationTextSchema } from '@portal/contracts/notifications/events'
import { withdrawnTitle } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { Json } from '@portal/platform/event-store/port'
import { z } from 'zod'

/** The document that replaces the text of a recalled campaign. */
export const erasedText = { erased: true } as const

const storedTextSchema = z.union([notificationTextSchema, z.object({ erased: z.literal(true) })])

/** A text as clients may see it. */
export type ShownText = NotificationText & {
  /** The campaign was recalled; title and message are a placeholder. */
  readonly isWithdrawn?: true
}

/** Shown instead of the text of a recalled campaign. */
export const withdrawnText = (notificationId: NotificationId): ShownText => ({
  notificationId,
  title: withdrawnTitle,
  message: '',
  type: 'General',
  isWithdrawn: true,
})

/** Parses a text document. Throws on another shape. */
export const shownTextOf = (notificationId: NotificationId, document: unknown): ShownText => {
  const stored = storedTextSchema.parse(document)
  return 'erased' in stored ? withdrawnText(notificationId) : stored
}

/** The document that holds the text. */
export const textDocument = ({ isWithdrawn, ...text }: ShownText): Json => (isWithdrawn ? erasedText : text)
