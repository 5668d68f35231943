import { sendNotificationBody } from '@portal/contracts/notifications/http'
import { notificationTypeSchema, type NotificationType } from '@portal/contracts/notifications/notification'
import type { UserId } from '@portal/contracts/shared/ids'
import { isAttemptOf, type Attempt } from '../../lib/attempt.ts'
import { atom } from '../../lib/jotai.ts'
import { noneChosen, type Chosen } from './recipients.ts'

/** What is written in the form; the recipients are chosen beside it. */
export const textSchema = sendNotificationBody
  .pick({ title: true, message: true })
  .extend({ type: notificationTypeSchema })
export type DraftText = { title: string; message: string; type: NotificationType }

/** An unsent notification with the key of its last attempt, so that it survives a visit to another page or a log-in. */
export type Draft = { readonly text: DraftText; readonly chosen: Chosen; readonly attempt: Attempt | undefined }

export const newDraft: Draft = {
  text: { title: '', message: '', type: 'System Maintenance' },
  chosen: noneChosen,
  attempt: undefined,
}

/** Whether an admin would miss it. */
export const isWorthKeeping = ({ text, chosen }: Draft): boolean =>
  text.title !== '' || text.message !== '' || chosen.size > 0

/** What goes to the server. */
export const bodyOf = (text: DraftText, chosen: Chosen) => ({ ...text, userIds: [...chosen] })

/** Whether it is still what was last tried to send. */
export const wasTriedAsItIs = ({ text, chosen, attempt }: Draft): boolean => {
  const checked = textSchema.safeParse(text)
  return checked.success && isAttemptOf(attempt, bodyOf(checked.data, chosen))
}

/** Kept in memory only, with whose it is: nobody finds another admin's text after logging in on the same device. */
export const draftAtom = atom<{ readonly owner: UserId; readonly draft: Draft } | undefined>(undefined)
