import { z } from 'zod'
import { userIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema } from '../shared/route.ts'
import { knownEmail, limits, mobileNumber, requiredLine } from '../shared/rules.ts'
import * as accountError from './account-errors.ts'
import * as error from './errors.ts'
import { maxSessions, openSessionSchema } from './sessions.ts'
import { roleSchema, strictUserSchema, userSchema } from './user.ts'

/** What an admin does to an account, and how people delete their own. */

/** What was done to an account. 'corrected': an admin changed the university or the mobile number. */
export const accountActions = [
  'registered',
  'email-proved',
  'name-changed',
  'corrected',
  'password-changed',
  'password-reset',
  /** By an operator. */
  'password-set',
  'role-changed',
  'deactivated',
  'reactivated',
  /** By an admin or operator. */
  'second-factor-reset',
  /** Out of all devices, by an admin. */
  'signed-out',
] as const

export const maxHistoryEntries = 50

const accountHistoryEntrySchema = z.object({
  at: z.iso.datetime(),
  what: z.enum(accountActions),
  /** Name of the admin or operator, or of the person themself. Absent if unknown, or if that admin was deleted. */
  by: z.string().optional(),
  /** With 'role-changed'. */
  role: roleSchema.optional(),
  /** With 'deactivated'. */
  reason: z.string().optional(),
})
export type AccountHistoryEntry = z.infer<typeof accountHistoryEntrySchema>

const accountPart = {
  /** False until the person proves that they can read mail sent to the address. */
  emailVerified: z.boolean(),
  state: z.enum(['active', 'deactivated']),
  /** Why it is deactivated. */
  deactivationReason: z.string().optional(),
  registeredAt: z.iso.datetime(),
  /** Whether two-step verification is on. Older servers omit it. */
  hasSecondFactor: z.boolean().optional(),
  /** Where the person is signed in, newest first. Older servers omit it. */
  sessions: z
    .array(openSessionSchema.omit({ isThis: true }))
    .max(maxSessions)
    .optional(),
  /** Newest first. */
  history: z.array(accountHistoryEntrySchema).max(maxHistoryEntries),
}

/** A person as admins see them. */
export const personSchema = userSchema.extend(accountPart)
export type Person = z.infer<typeof personSchema>
const strictPersonSchema = strictUserSchema.extend(accountPart)

const params = z.object({ id: userIdSchema })

const passwordMissing = accountError.ownPasswordRequired.message
/** The password of the caller, entered once more. */
export const ownPassword = z
  .string(passwordMissing)
  .min(1, passwordMissing)
  .max(limits.passwordChars, error.wrongPassword.message)

const changeErrors = [accountError.personNotFound, accountError.tooManyAccountChanges('15 minutes')]
const passwordErrors = [error.wrongPassword, accountError.tooManyPasswordChecks('15 minutes'), error.busy]
const adminErrors = [accountError.lastAdmin, accountError.adminChangedMeanwhile, ...passwordErrors]

export const getPerson = defineRoute({
  method: 'GET',
  path: '/admin/people/:id',
  access: 'admin',
  summary: 'A person with the history of their account',
  params,
  response: z.object({ success: z.literal(true), person: personSchema }),
  strictResponse: z.object({ success: z.literal(true), person: strictPersonSchema }),
  errors: [accountError.personNotFound],
})

export const correctPerson = defineRoute({
  method: 'PUT',
  path: '/admin/people/:id',
  access: 'admin',
  summary: 'Correct the university or the mobile number of a person',
  params,
  body: z
    .object({
      universityName: requiredLine('University Name', limits.nameChars).optional(),
      mobileNumber: mobileNumber.optional(),
    })
    .refine(
      ({ universityName, mobileNumber: number }) => universityName !== undefined || number !== undefined,
      accountError.nothingToCorrect.message,
    ),
  response: doneSchema,
  errors: [accountError.nothingToCorrect, error.notListed, accountError.numberOfAnother, ...changeErrors],
})

export const changeRole = defineRoute({
  method: 'PUT',
  path: '/admin/people/:id/role',
  access: 'admin',
  summary: 'Change the role of a person. Takes your password, and ends the sessions of the person',
  params,
  body: z.object({ role: z.enum(roleSchema.options, 'role must be admin, faculty or student'), password: ownPassword }),
  response: doneSchema,
  errors: [accountError.tooManyAdmins, ...adminErrors, ...changeErrors],
})

export const deactivatePerson = defineRoute({
  method: 'POST',
  path: '/admin/people/:id/deactivate',
  access: 'admin',
  summary: 'Deactivate an account: logins are refused and sessions end. Takes your password if it is an admin',
  params,
  body: z.object({ reason: requiredLine('Reason', limits.adminReasonChars), password: ownPassword.optional() }),
  response: doneSchema,
  repetition: 'harmless',
  errors: [accountError.ownPasswordRequired, ...adminErrors, ...changeErrors],
})

export const reactivatePerson = defineRoute({
  method: 'POST',
  path: '/admin/people/:id/reactivate',
  access: 'admin',
  summary: 'Reactivate an account',
  params,
  response: doneSchema,
  repetition: 'harmless',
  errors: [accountError.tooManyAdmins, ...changeErrors],
})

export const resetSecondFactor = defineRoute({
  method: 'POST',
  path: '/admin/people/:id/second-factor/reset',
  access: 'admin',
  summary: 'Turn off the two-step verification of a learner or faculty member who has lost it. Takes your password',
  params,
  body: z.object({ password: ownPassword }),
  response: doneSchema,
  repetition: 'harmless',
  errors: [accountError.secondFactorOfAdmin, ...passwordErrors, ...changeErrors],
})

export const signOutPerson = defineRoute({
  method: 'DELETE',
  path: '/admin/people/:id/sessions',
  access: 'admin',
  summary: 'End all sessions of another person. Takes your password',
  params,
  body: z.object({ password: ownPassword }),
  response: doneSchema,
  repetition: 'harmless',
  errors: [accountError.ownSessions, ...passwordErrors, ...changeErrors],
})

/** Shows later that the account was deleted: the id is that of the recorded event. */
const receiptSchema = z.object({ id: z.uuid(), erasedAt: z.iso.datetime() })
export type ErasureReceipt = z.infer<typeof receiptSchema>

const erasedSchema = doneSchema.extend({ receipt: receiptSchema })

export const erasePerson = defineRoute({
  method: 'DELETE',
  path: '/admin/people/:id',
  access: 'admin',
  summary: 'Delete an account permanently. Takes its email address, and your password if it is an admin',
  params,
  body: z.object({ personalEmail: knownEmail, password: ownPassword.optional() }),
  response: erasedSchema,
  errors: [
    accountError.wrongAddress,
    accountError.ownPasswordRequired,
    accountError.tooManyErasures('15 minutes'),
    ...adminErrors,
    accountError.personNotFound,
  ],
})

export const eraseOwnAccount = defineRoute({
  method: 'DELETE',
  path: '/user/profile',
  access: 'signed-in',
  summary: 'Delete your account permanently',
  body: z.object({ password: ownPassword }),
  response: erasedSchema,
  errors: adminErrors,
})
