import { z } from 'zod'
import { encryptedTextSchema } from '../auth/events.ts'
import { learnerInvitationIdSchema, programRecordIdSchema, universityIdSchema, userIdSchema } from '../shared/ids.ts'
import { enrollmentSchema, paymentStatusSchema } from './enrollment.ts'
import { amountPaiseSchema, feeAccountSchema } from './fee-account.ts'
import { programSchema } from './program.ts'

/** What the admin typed, encrypted with the key of the learner. Messages of older releases lack it. */
const typed = encryptedTextSchema.optional()

/** Which invitation of which address. The names do not begin with Enrollment: older consumers choose their partition by that. */
const ofInvitation = {
  invitationId: learnerInvitationIdSchema,
  programId: programRecordIdSchema,
  /** Keyed hash of the address, as of accounts. */
  emailIndex: z.string(),
}

const sentInvitation = {
  ...ofInvitation,
  /** The name at that time. */
  programName: z.string(),
  /** Encrypted with a key of the invitation, which is destroyed when it ends. */
  address: encryptedTextSchema,
  expiresAt: z.iso.datetime(),
}

/** Invitations of people without an account. Recorded and published alike. */
export const learnerInvitationEvents = [
  z.object({
    type: z.literal('LearnerInvited'),
    data: z.object({ ...sentInvitation, invitedBy: userIdSchema, invitedAt: z.iso.datetime() }),
  }),
  z.object({ type: z.literal('LearnerInvitationResent'), data: z.object(sentInvitation) }),
  z.object({ type: z.literal('LearnerInvitationWithdrawn'), data: z.object(ofInvitation) }),
  /** The account of the address is enrolled, by the admin who has invited the person. */
  z.object({
    type: z.literal('LearnerInvitationAccepted'),
    data: z.object({ ...ofInvitation, userId: userIdSchema }),
  }),
  /** It ended otherwise. 'erased': the account of the address was. */
  z.object({
    type: z.literal('LearnerInvitationExpired'),
    data: z.object({ ...ofInvitation, reason: z.enum(['expired', 'program-removed', 'erased']) }),
  }),
] as const

/**
 * Integration events of the catalog context. Message keys: 'universities', 'programs', 'learner-invitations', and the
 * learner's bucket (`b00` to `b63`) for enrollments.
 */
export const catalogEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('UniversityAdded'),
    data: z.object({ universityId: universityIdSchema, name: z.string() }),
  }),
  z.object({
    type: z.literal('UniversityRenamed'),
    data: z.object({ universityId: universityIdSchema, name: z.string() }),
  }),
  z.object({ type: z.literal('UniversityRemoved'), data: z.object({ universityId: universityIdSchema }) }),
  /** A program was created or changed. Carries the complete program. */
  z.object({ type: z.literal('ProgramSaved'), data: z.object({ program: programSchema }) }),
  z.object({
    type: z.literal('ProgramRemoved'),
    data: z.object({ programId: programRecordIdSchema, removedAt: z.iso.datetime() }),
  }),
  z.object({
    type: z.literal('LearnerEnrolled'),
    data: z.object({
      userId: userIdSchema,
      programId: programRecordIdSchema,
      /** The name at the time of enrollment. */
      programName: z.string(),
      currentSemester: z.string(),
      paymentStatus: paymentStatusSchema,
      enrolledAt: z.iso.datetime(),
      /** What the learner brings along from another program. */
      feeAccount: feeAccountSchema.optional(),
      movedFrom: programRecordIdSchema.optional(),
    }),
  }),
  z.object({
    type: z.literal('EnrollmentChanged'),
    data: z.object({
      userId: userIdSchema,
      enrollment: enrollmentSchema.omit({ withdrawnAt: true }),
      change: z.enum(['payment-confirmed', 'payments-reverted', 'semester-changed', 'reinstated']),
      /** A payment was confirmed, and its admin wants the learner to be told. */
      confirmedPayment: z.object({ paymentId: z.string(), amountPaise: amountPaiseSchema }).optional(),
      /** Of a payment. */
      reference: typed,
      reason: typed,
    }),
  }),
  z.object({
    type: z.literal('EnrollmentEnded'),
    data: z.object({
      userId: userIdSchema,
      programId: programRecordIdSchema,
      change: z.enum(['withdrawn', 'moved']),
      reason: typed,
    }),
  }),
  ...learnerInvitationEvents,
])
export type CatalogEvent = z.infer<typeof catalogEventSchema>

/**
 * Projections that other services wait for before they notify clients, so that a client that refetches sees the
 * change. The partition is the message key. Increment the version with every change to a projection's documents.
 */
export const programsProjectionRef = { name: 'programs', version: 1 } as const
export const enrollmentsProjectionRef = { name: 'enrollments', version: 1 } as const
export const learnerInvitationsProjectionRef = { name: 'learner-invitations' } as const
/** All invitations of learners are in one order. Also the message key. */
export const learnerInvitationsPartition = 'learner-invitations'
