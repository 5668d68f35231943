import { z } from 'zod'
import { notificationIdSchema, userIdSchema } from '../shared/ids.ts'

/** What gateways, the notifications service and delivery ask and tell each other; see services/platform/src/peers. */
export const peerSubjects = { seen: 'seen', seenUpTo: 'seen-up-to', receipts: 'receipts' } as const

/** Told or answered at once. Whoever knows more says the latest. */
export const maxSeenReports = 10_000

const seqSchema = z.number().int().nonnegative()

/** A gateway of an earlier release reports no epoch. */
const seenReportSchema = z.union([
  z.tuple([userIdSchema, seqSchema, z.string().max(100)]),
  z.tuple([userIdSchema, seqSchema]).transform(([userId, seq]): [typeof userId, number, string] => [userId, seq, '']),
])

/**
 * What open tabs have shown: for each user, everything up to `seq` in the numbering of `epoch`. Sequence numbers
 * of another epoch mean nothing, and '' is the epoch of no inbox: such a report counts as nothing seen.
 */
export const seenReportsSchema = z.array(seenReportSchema).max(maxSeenReports)
export type SeenReports = z.infer<typeof seenReportsSchema>

/** About these users, or, without them, about the latest. */
export const seenQuestionSchema = z.object({ userIds: z.array(userIdSchema).max(maxSeenReports).optional() })
export type SeenQuestion = z.infer<typeof seenQuestionSchema>

/** On how many open devices of these users has it been seen, `timeoutMs` from now at the latest. */
export const receiptsQuestionSchema = z.object({
  notificationId: notificationIdSchema,
  userIds: z.array(userIdSchema),
  timeoutMs: z.number().nonnegative(),
})
export type ReceiptsQuestion = z.infer<typeof receiptsQuestionSchema>
export const receiptsAnswerSchema = z.number().int().nonnegative()
