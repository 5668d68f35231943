import { z } from 'zod'
import { idempotencyHeaders } from '../shared/idempotency.ts'
import { learnerInvitationIdSchema, programRecordIdSchema, userIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { limits, optionalLine, requiredLine } from '../shared/rules.ts'
import { programParams } from './http.ts'
import { programNotFound } from './errors.ts'
import { amountPaiseSchema } from './fee-account.ts'

/** What admins do with the learners of a program. A module of its own, because only their screens need it. */

export const learnerLimits = {
  /** Learners of one request. */
  marked: 500,
  /** People in a list to enroll. */
  listed: 5_000,
  referenceChars: 100,
  /** Of one program, with those that have just expired. */
  openInvitations: 20_000,
  invitationDays: 30,
} as const

/** How a request can change an enrollment. */
export const learnerChanges = [
  'confirmed',
  'reverted',
  'semester-set',
  'enrolled',
  'withdrawn',
  'reinstated',
  'moved',
  /** No account has the address. The person is enrolled once they register with it. */
  'invited',
] as const

/** Each as a past participle, of learners or payments. */
export const learnerChangeWords: Readonly<Record<(typeof learnerChanges)[number], string>> = {
  confirmed: 'confirmed',
  reverted: 'set back to pending',
  'semester-set': 'changed',
  enrolled: 'enrolled',
  withdrawn: 'withdrawn',
  reinstated: 'reinstated',
  moved: 'moved',
  invited: 'invited',
}

/** What a request does, or would do, with one person. */
export const learnerFates = [
  ...learnerChanges,
  /** The payment with this reference, or all of the fee, was confirmed before. */
  'already-paid',
  'already-enrolled',
  'already-invited',
  /** Set by someone else. */
  'same-semester',
  /** No payment is confirmed. */
  'nothing-paid',
  /** The program is free. */
  'nothing-due',
  /** The amount is not that of the next installments. */
  'amount-differs',
  /** Enrolled in other programs only. */
  'other-program',
  'not-enrolled',
  /** No account has this student code, and it is no address. Of a payment: no account has this address or code. */
  'unknown',
  /** An earlier row is the same person. Of payments: with the same reference or, without any, the same day and amount. */
  'repeated',
  'not-a-learner',
  'deactivated',
  'too-many-programs',
] as const
export const learnerFateSchema = z.enum(learnerFates)
export type LearnerFate = z.infer<typeof learnerFateSchema>

export const learnerRowSchema = z.object({
  /** Absent if the contact is unknown. */
  userId: userIdSchema.optional(),
  /** As given, if the request has contacts. */
  contact: z.string().optional(),
  fullName: z.string().optional(),
  /** Of a person who was invited by this request. */
  invitationId: learnerInvitationIdSchema.optional(),
  fate: learnerFateSchema,
  /** What the next installment costs, if the amount differs. */
  duePaise: amountPaiseSchema.optional(),
})
export type LearnerRow = z.infer<typeof learnerRowSchema>

/** `rows` in the order of the request. */
const fatesResponse = doneSchema.extend({
  /** How many rows changed something, or would. */
  changed: z.number().int(),
  rows: z.array(learnerRowSchema),
})
const paymentsResponse = fatesResponse.extend({
  /** Identifies the payments of this request, to undo them. */
  paymentId: z.string(),
})

const noLearners = 'Please select at least one learner'
const markedUsers = z
  .array(userIdSchema)
  .min(1, noLearners)
  .max(learnerLimits.marked, `At most ${learnerLimits.marked} learners can be changed at once`)

const needsContact = 'Each row needs an e-mail address or a student code'
const contact = z
  .string(needsContact)
  .trim()
  .min(1, needsContact)
  .max(limits.emailChars, 'This is neither an e-mail address nor a student code')
const listOf = <Row extends z.ZodType>(row: Row, max: number) =>
  z.array(row).min(1, noLearners).max(max, `A list can have at most ${max} rows`)

const invalidDay = 'Date must be a day such as 2026-11-28'
/** Years of two digits, which spreadsheets make of some dates, are no years of this century. */
const paidOn = z.iso.date(invalidDay).refine((day) => day >= '2000-01-01', invalidDay)
const amount = amountPaiseSchema.meta({ description: 'Paise' })
const reference = optionalLine('Reference', learnerLimits.referenceChars)
const reason = requiredLine('Reason', limits.adminReasonChars)
/** Says what would happen, and changes nothing. */
const dryRun = z.boolean().default(false)

/** What a row leaves out is that of the request. */
const paymentRow = z.object({
  contact,
  amount: amount.optional(),
  paidOn: paidOn.optional(),
  reference: reference.optional(),
})
/** Without a transform, which would hide what is wrong with the row. */
const listedPayment = z.union([paymentRow, contact], needsContact)
export type ListedPayment = z.output<typeof paymentRow>

const oneOf = 'Please give either userIds or contacts'

export const futurePayment = routeError('invalid', 'The payment date is in the future')
export const noSuchSemester = routeError('invalid', 'The program does not have this semester')
export const sameProgram = routeError('conflict', 'The learners are already in this program')
export const tooManyOpenInvitations = routeError(
  'conflict',
  `A program can have at most ${learnerLimits.openInvitations.toLocaleString('en-US')} open invitations. Please withdraw some first, or enroll fewer people.`,
)
export const lookUpUnavailable = routeError(
  'unavailable',
  'The list of people is not available right now. Please try again in a moment.',
)

const learnerRoute = { access: 'admin', method: 'POST', params: programParams, headers: idempotencyHeaders } as const

export const confirmPayments = defineRoute({
  ...learnerRoute,
  path: '/admin/programs/:id/payments',
  summary: 'Confirm payments of learners. A repeated reference of a learner changes nothing',
  body: z
    .object({
      userIds: markedUsers.optional(),
      contacts: listOf(listedPayment, learnerLimits.marked).optional(),
      amount,
      paidOn,
      reference,
      /** Tells each learner by a notification. */
      notify: z.boolean().default(false),
      /** Does not confirm what has the day and the amount of a recorded payment, unless both have references. */
      leaveOutRepeats: z.boolean().default(false),
      dryRun,
    })
    .refine(({ userIds, contacts }) => (userIds === undefined) !== (contacts === undefined), oneOf),
  bodyLimitBytes: 512 * 1024,
  response: paymentsResponse,
  errors: [programNotFound, futurePayment, lookUpUnavailable],
})

export const revertPayments = defineRoute({
  ...learnerRoute,
  path: '/admin/programs/:id/payments/revert',
  summary: 'Set learners back to pending: all payments that are confirmed, or those of one request',
  body: z.object({ userIds: markedUsers, reason, paymentId: z.string().max(100).optional(), dryRun }),
  response: fatesResponse,
  errors: [programNotFound],
})

export const enrollLearners = defineRoute({
  ...learnerRoute,
  path: '/admin/programs/:id/enroll',
  summary: 'Enroll people by e-mail address or student code. Addresses without an account are invited',
  body: z.object({ contacts: listOf(contact, learnerLimits.listed), dryRun }),
  bodyLimitBytes: 2 * 1024 * 1024,
  response: fatesResponse,
  errors: [programNotFound, lookUpUnavailable, tooManyOpenInvitations],
})

export const withdrawLearners = defineRoute({
  ...learnerRoute,
  path: '/admin/programs/:id/withdraw',
  summary: 'End enrollments',
  body: z.object({ userIds: markedUsers, reason, dryRun }),
  response: fatesResponse,
  errors: [programNotFound],
})

export const reinstateLearners = defineRoute({
  ...learnerRoute,
  path: '/admin/programs/:id/reinstate',
  summary: 'Undo a withdrawal: the enrollment with its payments and semester',
  body: z.object({ userIds: markedUsers }),
  response: fatesResponse,
  errors: [programNotFound],
})

export const moveLearners = defineRoute({
  ...learnerRoute,
  path: '/admin/programs/:id/move',
  summary: 'Move learners to another program. Their payments count for it',
  body: z.object({ userIds: markedUsers, toProgramId: programRecordIdSchema, dryRun }),
  response: fatesResponse,
  errors: [programNotFound, sameProgram],
})

export const setSemester = defineRoute({
  ...learnerRoute,
  path: '/admin/programs/:id/semester',
  summary: 'Set the semester of learners',
  body: z.object({
    userIds: markedUsers,
    semester: z.number().int().min(1, noSuchSemester.message).max(limits.semesters, noSuchSemester.message),
    dryRun,
  }),
  response: fatesResponse,
  errors: [programNotFound, noSuchSemester],
})
