import { z } from 'zod'
import { paymentStatusSchema } from '../catalog/enrollment.ts'
import { notificationIdSchema, programRecordIdSchema, userIdSchema } from '../shared/ids.ts'
import { limits } from '../shared/rules.ts'

/** Admins have no inbox screen, so a rule never selects them. `include` can. */
export const audienceRoles = ['student', 'faculty'] as const

const selectAtLeastOne = 'Please select at least one user'

const someOf = <Item extends z.ZodType>(item: Item, max: number, field: string) =>
  z.array(item).max(max, `${field} can have at most ${max} entries`).optional()

/** Numbers of semesters, or of installments, of which there is one per semester. */
const numbers = (field: string) => {
  const message = `${field} must be whole numbers from 1 to ${limits.semesters}`
  return someOf(z.number(message).int(message).min(1, message).max(limits.semesters, message), limits.semesters, field)
}

/**
 * The rule that selects the recipients of a campaign. The kinds of conditions are combined with "and", the entries of
 * one kind with "or". An absent or empty kind does not restrict. `include` then adds users, and `exclude` removes
 * users. Without any condition the rule selects only `include`.
 */
export const audienceSchema = z.object({
  everyone: z.literal(true).optional(),
  /** Programs in which the users are enrolled. One enrollment must match this and the next three kinds together. */
  programIds: someOf(programRecordIdSchema, limits.programs, 'programIds'),
  paymentStatuses: someOf(paymentStatusSchema, 2, 'paymentStatuses'),
  /** The numbers of current semesters. */
  semesters: numbers('semesters'),
  /** The numbers of the next installments that are open. */
  installmentsDue: numbers('installmentsDue'),
  universityNames: someOf(
    z.string().trim().min(1).max(limits.nameChars),
    limits.audienceUniversities,
    'universityNames',
  ),
  roles: someOf(z.enum(audienceRoles), audienceRoles.length, 'roles'),
  /** E-mail addresses and student codes. Matched without regard to case, and never stored. */
  contacts: someOf(z.string().trim().max(limits.emailChars), limits.audienceContacts, 'contacts'),
  /** Recipients of this notification who have not read it. */
  unreadOf: notificationIdSchema.optional(),
  include: someOf(userIdSchema, limits.recipientsPerSend, 'include'),
  exclude: someOf(userIdSchema, limits.recipientsPerSend, 'exclude'),
})
export type Audience = z.infer<typeof audienceSchema>

/** Whether a rule can select anyone: it has a condition or an included user. */
export const selectsSomeone = (audience: Audience): boolean => {
  const { everyone, unreadOf, programIds, paymentStatuses, semesters, installmentsDue } = audience
  const { universityNames, roles, contacts, include } = audience
  const lists = [programIds, paymentStatuses, semesters, installmentsDue, universityNames, roles, contacts, include]
  return everyone === true || unreadOf !== undefined || lists.some((list) => list !== undefined && list.length > 0)
}

/** A rule in a request. */
export const requestedAudienceSchema = audienceSchema.refine(selectsSomeone, selectAtLeastOne)

/** A user in the picker of the send form. */
export const personSchema = z.object({
  userId: userIdSchema,
  fullName: z.string(),
  personalEmail: z.string(),
  role: z.string(),
  universityName: z.string(),
  studentCode: z.string(),
  /** False until the user proves that they can read mail sent to the address. */
  emailVerified: z.boolean(),
})
export type Person = z.infer<typeof personSchema>
