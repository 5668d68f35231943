import { notificationTypeSchema } from '@portal/contracts/notifications/notification'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { countSend, dayAt, sendsRef } from '../activity/counts.ts'
import type { NotificationsEventOf } from '../bus-messages.ts'
import {
  adminCampaignList,
  adminCampaignTotalRef,
  campaignList,
  campaignTotalRef,
  put,
  textRef,
} from '../read-model.ts'

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

/** Numbers the campaigns of admins in a list of their own. `known` is the number of the last one. */
const addToAdmins = (member: string, known: unknown): readonly Write[] => {
  const ordinal = campaignTotalOf(known) + 1
  return [
    { op: 'add', list: adminCampaignList, member, score: ordinal, value: {} },
    put(adminCampaignTotalRef, ordinal),
  ]
}

/**
 * Adds a sent or planned campaign to the history. Numbers campaigns 1, 2, 3 … without gaps, so that a page is a range
 * of numbers.
 */
export const applyCampaignSent = async (
  { text, sentBy, targeted, buckets, remindsOf }: NotificationsEventOf<'CampaignSent' | 'CampaignPlanned'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const [[total, ofAdmins, day]] = await Promise.all([
    view.getMany([campaignTotalRef, adminCampaignTotalRef, sendsRef(dayAt(new Date(at)))]),
    view.putImmutable(textRef(text.notificationId), text),
  ])
  const ordinal = campaignTotalOf(total) + 1
  const { type, notificationId } = text
  const reminder = remindsOf === undefined ? {} : { remindsOf }
  const value: SentCampaign = { sentAt: at, sentBy, type, targeted, buckets, ...reminder }
  return [
    { op: 'add', list: campaignList, member: notificationId, score: ordinal, value },
    put(campaignTotalRef, ordinal),
    ...(sentBy === portalSender ? [] : addToAdmins(notificationId, ofAdmins)),
    countSend(at, day, { sentBy, targeted }),
  ]
}
