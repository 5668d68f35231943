import { z } from 'zod'
import { userIdSchema } from '../shared/ids.ts'

export const roles = ['admin', 'faculty', 'student'] as const
export const roleSchema = z.enum(roles)
export type Role = z.infer<typeof roleSchema>

/** As a client takes it: any role that it does not know is a learner's. Servers hold themselves to `roleSchema`. */
const lenientRole = roleSchema.catch('student')

/** A user as the user sees themself, as a client takes it. Empty text where nothing is recorded. */
export const userSchema = z.object({
  _id: userIdSchema,
  fullName: z.string(),
  personalEmail: z.string(),
  mobileNumber: z.string(),
  universityName: z.string(),
  studentCode: z.string(),
  profileImage: z.string(),
  role: lenientRole,
})
export type User = z.infer<typeof userSchema>

/** The same, as the server promises it. */
export const strictUserSchema = userSchema.extend({ role: roleSchema })

/** A user as admins see them. */
export const userSummarySchema = userSchema
  .pick({ _id: true, fullName: true, personalEmail: true, role: true })
  /** False where nobody has shown yet that they read what is mailed to the address. */
  .extend({ emailVerified: z.boolean().optional() })
export type UserSummary = z.infer<typeof userSummarySchema>

/** The same, as the server promises it. */
export const strictUserSummarySchema = userSummarySchema.extend({ role: roleSchema })
