import type { CampaignProgress, SentItem } from '@portal/contracts/notifications/sent-item'
import { portalSenderName } from '@portal/contracts/notifications/portal-sender'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'

/** The page of one campaign. Parts of the address are from the contracts and need no escaping: both are UUIDs. */
export const campaignPath = (id: NotificationId): string => `/admin/notifications/${id}`

export const personPath = (userId: UserId): string => `/admin/people/${userId}`

/** The name of a deleted account. */
export const deletedAccount = 'Deleted account'

/** Undefined if an older server sends no sender. */
export const senderName = (sender: SentItem['sentBy']): string | undefined =>
  sender === undefined ? undefined : sender.fullName || deletedAccount

/** 'Sent by Asha Rao', or 'Sent by the portal'. Undefined if an older server sends no sender. */
export const sentByText = (sender: SentItem['sentBy']): string | undefined => {
  const name = senderName(sender)
  if (name === undefined) return undefined
  return `Sent by ${name === portalSenderName ? 'the portal' : name}`
}

/** The socket reports withdrawn entries before the page is loaded again. */
export const isRecalled = (
  { withdrawnAt }: Pick<SentItem, 'withdrawnAt'>,
  { recalled = 0 }: CampaignProgress,
): boolean => withdrawnAt !== undefined || recalled > 0
