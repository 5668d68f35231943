import { deliveryStates } from '../progress.ts'
import type { CampaignProgress, SentItem } from '@portal/contracts/notifications/sent-item'
import { notificationIdSchema, type NotificationId } from '@portal/contracts/shared/ids'

/** Ids do not sort by time, as in the sample data, whose ids are hashes. */
export const campaignId = (n: number): NotificationId =>
  notificationIdSchema.parse(`${String(9999 - n).padStart(4, '0')}0000-0000-7000-8000-000000000001`)

export const aCampaign = (
  n: number,
  counts: Partial<CampaignProgress> = { pending: 1 },
  text: Partial<SentItem> = {},
): SentItem => {
  const zeros = { pending: 0, live: 0, pushed: 0, skipped: 0, failed: 0, cancelled: 0, read: 0, ...counts }
  const id = campaignId(n)
  const title = text.title ?? `Notice ${n}`
  const type = text.type ?? 'General'
  const at = text.deliveredAt ?? '2026-11-21T10:00:00.000Z'
  return {
    _id: id,
    id,
    notificationTitle: title,
    title,
    notificationType: type,
    type,
    message: text.message ?? `The text of notice ${n}`,
    ...(text.button && { button: text.button }),
    ...(text.isUrgent && { isUrgent: text.isUrgent }),
    ...(text.translation && { translation: text.translation }),
    isRead: false,
    readAt: null,
    deliveredAt: at,
    timestamp: at,
    seq: n,
    progress: {
      notificationId: id,
      seq: n,
      targeted: deliveryStates.reduce((sum, state) => sum + zeros[state], 0),
      ...zeros,
    },
  }
}
