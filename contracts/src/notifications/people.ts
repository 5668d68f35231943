import { z } from 'zod'
import { roles, roleSchema } from '../auth/user.ts'
import { enrollmentSchema, paymentStatusSchema } from '../catalog/enrollment.ts'
import { notificationIdSchema, programRecordIdSchema, userIdSchema } from '../shared/ids.ts'
import { paginationSchema, positiveInteger } from '../shared/page.ts'
import { defineRoute } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import { personSchema } from './audience.ts'
import { deviceSchema } from './devices.ts'
import { userNotFound } from './errors.ts'
import { campaignRecipientSchema } from './http.ts'

/** Routes of all users, and of one. A module of its own, because only screens of admins need them. */

/** Whether the user can log in and gets notifications. */
export const accountStates = ['active', 'deactivated'] as const
export const accountStateSchema = z.enum(accountStates)
export type AccountState = z.infer<typeof accountStateSchema>

/** A minus reverses the order. People who are equal in it are sorted by name. */
export const peopleSorts = [
  'name',
  '-name',
  'email',
  '-email',
  'role',
  '-role',
  'university',
  '-university',
  'registered',
  '-registered',
] as const
export const peopleSortSchema = z.enum(peopleSorts, `sort must be one of ${peopleSorts.join(', ')}`)
export type PeopleSort = z.infer<typeof peopleSortSchema>

/** One or more values of a parameter that can be repeated. */
const oneOrMore = <Item extends z.ZodType>(item: Item, max: number, message: string) =>
  z
    .union([item, z.array(item).max(max)], message)
    .transform((given): z.output<Item>[] => (Array.isArray(given) ? given : [given]))
    .optional()

/** Conditions of different kinds are combined with "and", repeated ones with "or". */
export const peopleFilterSchema = z.object({
  /** Matches every word in the name, the e-mail address or the student code. */
  q: z.string().trim().max(limits.shortTextChars).optional(),
  role: oneOrMore(roleSchema, roles.length, 'role must be admin, faculty or student'),
  universityName: oneOrMore(
    z.string().trim().min(1, 'universityName must not be empty').max(limits.nameChars),
    limits.audienceUniversities,
    'universityName must be the name of a university',
  ),
  /** With `paymentStatus`, one enrollment must match both. */
  programId: oneOrMore(programRecordIdSchema, limits.programs, 'programId must be the id of a program'),
  paymentStatus: oneOrMore(
    paymentStatusSchema,
    paymentStatusSchema.options.length,
    `paymentStatus must be ${paymentStatusSchema.options.join(' or ')}`,
  ),
  state: oneOrMore(accountStateSchema, accountStates.length, `state must be ${accountStates.join(' or ')}`),
  sort: peopleSortSchema.default('name'),
})
export type PeopleFilter = z.output<typeof peopleFilterSchema>

/** A user in the list of all people. */
export const listedPersonSchema = z.object({
  _id: userIdSchema,
  fullName: z.string(),
  personalEmail: z.string(),
  role: z.string(),
  universityName: z.string(),
  studentCode: z.string(),
  /** False until the user proves that they can read mail sent to the address. */
  emailVerified: z.boolean(),
  state: accountStateSchema,
  registeredAt: z.iso.datetime(),
})
export type ListedPerson = z.infer<typeof listedPersonSchema>

export const findPeople = defineRoute({
  method: 'GET',
  path: '/admin/people',
  access: 'admin',
  summary: 'A page of all users, also of deactivated ones',
  query: peopleFilterSchema.extend({
    page: positiveInteger('page', limits.page, 1),
    limit: positiveInteger('limit', limits.pageSize, 50),
  }),
  response: z.object({
    success: z.literal(true),
    people: z.array(listedPersonSchema),
    pagination: paginationSchema,
  }),
})

/** UTF-8 with a byte order mark, one line per user. */
export const exportPeople = defineRoute({
  method: 'GET',
  path: '/admin/people.csv',
  access: 'admin',
  summary: 'All users that the filter selects, as a CSV file with times in IST. The export is recorded',
  query: peopleFilterSchema,
  contentType: 'text/csv; charset=utf-8',
  response: z.string(),
})

/** One of a person's notifications, for admins. */
const personalDeliverySchema = campaignRecipientSchema
  .pick({ status: true, reason: true, says: true, deliveredAt: true, readAt: true })
  .extend({ notificationId: notificationIdSchema, title: z.string(), type: z.string() })

/** The name is that of the program now, or the last one of a deleted program. */
const personalEnrollmentSchema = enrollmentSchema.pick({
  programId: true,
  programName: true,
  currentSemester: true,
  paymentStatus: true,
  feeAccount: true,
})
export type PersonalEnrollment = z.infer<typeof personalEnrollmentSchema>

export const getPerson = defineRoute({
  method: 'GET',
  path: '/notifications/people/:userId',
  access: 'admin',
  summary: 'A user with enrollments and devices, and their last 50 notifications with status and reason, newest first',
  params: z.object({ userId: userIdSchema }),
  response: z.object({
    success: z.literal(true),
    person: personSchema,
    /** In the order of enrollment. Older servers omit them, and the devices. */
    enrollments: z.array(personalEnrollmentSchema).optional(),
    /** Browsers that get pushes, the newest first. */
    devices: z.array(deviceSchema.pick({ name: true, addedAt: true, usedAt: true })).optional(),
    deliveries: z.array(personalDeliverySchema),
  }),
  errors: [userNotFound],
})
