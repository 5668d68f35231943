import { z } from 'zod'
import { programParams } from '../catalog/http.ts'
import { enrollmentSchema, paymentStatusSchema } from '../catalog/enrollment.ts'
import { programNotFound } from '../catalog/errors.ts'
import { userIdSchema } from '../shared/ids.ts'
import { paginationSchema, positiveInteger } from '../shared/page.ts'
import { defineRoute } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import { accountStateSchema } from './people.ts'

/** The learners of a program. A module of its own, because only their screen needs it. */

/** A minus reverses the order. Learners who are equal in it are sorted by name. */
export const learnerSorts = [
  'name',
  '-name',
  'email',
  '-email',
  'university',
  '-university',
  'enrolled',
  '-enrolled',
  'payment',
  '-payment',
  'semester',
  '-semester',
] as const
const learnerSortSchema = z.enum(learnerSorts, `sort must be one of ${learnerSorts.join(', ')}`)
export type LearnerSort = z.infer<typeof learnerSortSchema>

const noSuchSemester = `semester must be a whole number from 1 to ${limits.semesters}`

const learnerFilterSchema = z.object({
  /** Matches every word in the name, the e-mail address or the student code. */
  q: z.string().trim().max(limits.shortTextChars).optional(),
  paymentStatus: z
    .enum(paymentStatusSchema.options, `paymentStatus must be ${paymentStatusSchema.options.join(' or ')}`)
    .optional(),
  /** The number of the semester. */
  semester: z.coerce
    .number(noSuchSemester)
    .int(noSuchSemester)
    .min(1, noSuchSemester)
    .max(limits.semesters, noSuchSemester)
    .optional(),
  sort: learnerSortSchema.default('name'),
})
export type LearnerFilter = z.output<typeof learnerFilterSchema>

export const listedLearnerSchema = enrollmentSchema
  .pick({ currentSemester: true, paymentStatus: true, feeAccount: true, enrolledAt: true })
  .extend({
    userId: userIdSchema,
    fullName: z.string(),
    personalEmail: z.string(),
    universityName: z.string(),
    studentCode: z.string(),
    state: accountStateSchema,
    /** Name of the admin; absent if the learner enrolled alone. Empty if that account was deleted. */
    enrolledBy: z.string().optional(),
  })
export type ListedLearner = z.infer<typeof listedLearnerSchema>

export const listLearners = defineRoute({
  method: 'GET',
  path: '/admin/programs/:id/learners',
  access: 'admin',
  summary: 'A page of the learners who are enrolled in a program, also of deactivated ones',
  params: programParams,
  query: learnerFilterSchema.extend({
    page: positiveInteger('page', limits.page, 1),
    limit: positiveInteger('limit', limits.pageSize, 50),
  }),
  response: z.object({
    success: z.literal(true),
    learners: z.array(listedLearnerSchema),
    pagination: paginationSchema,
    /** Of all learners of the program, whatever the filter is. */
    counts: z.object({ all: z.number().int(), pending: z.number().int(), completed: z.number().int() }),
  }),
  errors: [programNotFound],
})

/** UTF-8 with a byte order mark, one line per learner. */
export const exportLearners = defineRoute({
  method: 'GET',
  path: '/admin/programs/:id/learners.csv',
  access: 'admin',
  summary: 'All learners of a program that the filter selects, as a CSV file with times in IST. The export is recorded',
  params: programParams,
  query: learnerFilterSchema,
  contentType: 'text/csv; charset=utf-8',
  response: z.string(),
  errors: [programNotFound],
})
