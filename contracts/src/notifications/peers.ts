import { z } from 'zod'
import { notificationIdSchema, userIdSchema } from '../shared/ids.ts'

/** What gateways, the notifications service and delivery ask and tell each other; see services/platform/src/peers. */
export const peerSubjects = { seen: 'seen', seenUpTo: 'seen-up-to', receipts: 'receipts' } as const

/** Told or answered at once. Whoever knows more says the latest. */
export const mostSeenReports = 10_000

/** What open tabs have shown: of each user, everything up to that `seq`. */
export const seenReportsSchema = z.array(z.tuple([userIdSchema, z.number().int().nonnegative()])).max(mostSeenReports)
export type SeenReports = z.infer<typeof seenReportsSchema>

/** About these users, or, without them, about the latest. */
export const seenQuestionSchema = z.object({ userIds: z.array(userIdSchema).max(mostSeenReports).optional() })
export type SeenQuestion = z.infer<typeof seenQuestionSchema>

/** On how many open devices of these users has it been seen, `timeoutMs` from now at the latest. */
export const receiptsQuestionSchema = z.object({
  notificationId: notificationIdSchema,
  userIds: z.array(userIdSchema),
  timeoutMs: z.number().nonnegative(),
})
export type ReceiptsQuestion = z.infer<typeof receiptsQuestionSchema>
export const receiptsAnswerSchema = z.number().int().nonnegative()
