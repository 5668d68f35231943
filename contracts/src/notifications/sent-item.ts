import { z } from 'zod'
import { notificationIdSchema, userIdSchema } from '../shared/ids.ts'
import { fillAliases, inboxItemFields, mapOutcomeStates, strictFields } from './notification.ts'
import { translationSchema } from './translation.ts'

/** What admins see of what was sent. A module of its own, because the first screen does not need it. */

const count = z.number().int()

/** Delivery progress of one campaign. `pending` and the outcomes add up to `targeted`. */
export const campaignProgressSchema = z.object({
  notificationId: notificationIdSchema,
  /**
   * The campaign's number in the history, as in `SentItem`. Later campaigns have higher numbers. Older servers omit
   * it.
   */
  seq: count.optional(),
  targeted: count,
  pending: count,
  ...mapOutcomeStates(() => count),
  read: count,
  /** Pending recipients whose push waits, because of their quiet hours or of many pushes. Present if there are any. */
  postponed: count.optional(),
  /** When the last of them is due; ISO 8601. */
  postponedUntil: z.iso.datetime().optional(),
  /** Recipients whose inbox has it, or will not get it. Present while it is below `targeted`. */
  distributed: count.optional(),
  /** Inbox entries that were withdrawn. Present after a recall. */
  recalled: count.optional(),
  /** Recipients whose inbox will not get it, because it was stopped before. Present if there are any. */
  withheld: count.optional(),
  /**
   * How many recipients became pending again, over all resends. Present after a resend. Of two reports, the one with the
   * larger number is newer: within one number, outcomes only grow.
   */
  resent: count.optional(),
  /** Recipients whom an e-mail told of it, beside their outcome. Present if there are any. */
  emailed: count.optional(),
  /** Recipients who followed its button. Present if there are any. */
  clicked: count.optional(),
})
export type CampaignProgress = z.infer<typeof campaignProgressSchema>

/** An admin; the name is empty if the account was deleted. */
const adminSchema = z.object({ userId: userIdSchema, fullName: z.string() })

/** A campaign in the admins' history: the fields of an inbox item (without a read state) plus its progress. */
const sentItemFields = inboxItemFields.extend({
  progress: campaignProgressSchema,
  /** Older servers omit it. */
  sentBy: adminSchema.optional(),
  /** This campaign reminds of another one, which the recipients had not read. */
  remindsOf: notificationIdSchema.optional(),
  /** It goes above what its recipients have chosen about pushes. */
  isUrgent: z.literal(true).optional(),
  /** In a second language. Present if it has one. */
  translation: translationSchema.optional(),
})
export const sentItemSchema = z.preprocess(fillAliases, sentItemFields)
export type SentItem = z.infer<typeof sentItemSchema>

/** A sent item as the server must send it. */
export const strictSentItemSchema = sentItemFields.extend(strictFields)
