import type { CampaignRecipient } from '@portal/contracts/notifications/http'
import { explainDelivery } from '@portal/contracts/notifications/delivery-reasons'
import { userIdSchema } from '@portal/contracts/shared/ids'

const recipientId = (n: number) => userIdSchema.parse(`01890000-0000-7000-8000-${String(n).padStart(12, '0')}`)

export const aRecipient = (n: number, given: Partial<CampaignRecipient> = {}): CampaignRecipient => {
  const status = given.status ?? 'skipped'
  return {
    userId: recipientId(n),
    fullName: `Learner ${String(n).padStart(3, '0')}`,
    personalEmail: `learner-${n}@example.com`,
    status,
    says: explainDelivery(status, given.reason),
    deliveredAt: '2026-11-21T10:00:00.000Z',
    ...given,
  }
}
