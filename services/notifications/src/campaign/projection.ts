import { notificationTypeSchema } from '@portal/contracts/notifications/notification'
import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { countSend, dayAt, sendsRef } from '../activity/counts.ts'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { campaignList, campaignTotalRef, put, textRef } from '../read-model.ts'

/** A campaign in the history. Its recipients' states are in the buckets; see progress.ts. */
const sentCampaignSchema = z.object({
  sentAt: z.string(),
  sentBy: userIdSchema,
  type: notificationTypeSchema,
  targeted: z.number().int(),
  buckets: z.array(z.string()),
  remindsOf: notificationIdSchema.optional(),
  recalledAt: z.string().optional(),
})
export type SentCampaign = z.infer<typeof sentCampaignSchema>
export const sentCampaignOf = (value: unknown): SentCampaign => sentCampaignSchema.parse(value)
export const sentCampaignId = (member: string) => notificationIdSchema.parse(member)

const totalSchema = z.number().int().default(0)
export const campaignTotalOf = (value: unknown): number => totalSchema.parse(value)

/**
 * Adds a sent or planned campaign to the history. Numbers campaigns 1, 2, 3 … without gaps, so that a page is a range
 * of numbers.
 */
export const applyCampaignSent = async (
  { text, sentBy, targeted, buckets, remindsOf }: NotificationsEventOf<'CampaignSent' | 'CampaignPlanned'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const [total, day] = await Promise.all([
    view.get(campaignTotalRef),
    view.get(sendsRef(dayAt(new Date(at)))),
    view.putImmutable(textRef(text.notificationId), text),
  ])
  const ordinal = campaignTotalOf(total) + 1
  const { type } = text
  const reminder = remindsOf === undefined ? {} : { remindsOf }
  const value: SentCampaign = { sentAt: at, sentBy, type, targeted, buckets, ...reminder }
  return [
    { op: 'add', list: campaignList, member: text.notificationId, score: ordinal, value },
    put(campaignTotalRef, ordinal),
    countSend(at, day, targeted),
  ]
}
