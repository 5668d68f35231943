import { z } from 'zod'
import { notificationIdSchema, userIdSchema } from '../shared/ids.ts'

/**
 * Subjects of requests and broadcasts between gateways, the notifications service and delivery; see
 * services/platform/src/peers. Subjects keep their names, because processes of different releases run side by side.
 */
export const peerSubjects = {
  seen: 'seen',
  seenUpTo: 'seen-up-to',
  seenCount: 'receipts',
  testPush: 'test-push',
  hasMailServer: 'has-mail-server',
} as const

/** Maximum reports per message. A sender with more reports sends the latest. */
export const maxSeenReports = 10_000

const seqSchema = z.number().int().nonnegative()

/** Gateways of earlier releases do not send an epoch. */
const seenReportSchema = z.union([
  z.tuple([userIdSchema, seqSchema, z.string().max(100)]),
  z.tuple([userIdSchema, seqSchema]).transform(([userId, seq]): [typeof userId, number, string] => [userId, seq, '']),
])

/**
 * What open tabs have shown: for each user, everything up to `seq` in `epoch`. Numbers of another epoch are
 * meaningless. The epoch '' matches no inbox, so such a report counts as nothing seen.
 */
export const seenReportsSchema = z.array(seenReportSchema).max(maxSeenReports)
export type SeenReports = z.infer<typeof seenReportsSchema>

/** Asks about these users, or without `userIds` about the latest reports. */
export const seenQuestionSchema = z.object({ userIds: z.array(userIdSchema).max(maxSeenReports).optional() })
export type SeenQuestion = z.infer<typeof seenQuestionSchema>

/**
 * Asks how many open devices of these users have shown the notification. The answer comes within `timeoutMs`. Without
 * `userIds`, which a large campaign omits, it counts all devices after `timeoutMs`.
 */
export const seenCountQuestionSchema = z.object({
  notificationId: notificationIdSchema,
  userIds: z.array(userIdSchema).optional(),
  timeoutMs: z.number().nonnegative(),
})
export type SeenCountQuestion = z.infer<typeof seenCountQuestionSchema>
export const seenCountSchema = z.number().int().nonnegative()

/** Asks the process that delivers to push a test. It answers with a test outcome, every other process with null. */
export const testPushQuestionSchema = z.object({
  userId: userIdSchema,
  tokenIndex: z.string().max(100),
  testId: z.string().max(100),
  /** What to show. Absent for a test of the device; earlier releases ignore it. */
  text: z
    .object({
      title: z.string(),
      message: z.string(),
      type: z.string(),
      image: z.string().optional(),
      lang: z.string().optional(),
    })
    .optional(),
})
export type TestPushQuestion = z.infer<typeof testPushQuestionSchema>
