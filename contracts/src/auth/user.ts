import { z } from 'zod'
import { userIdSchema } from '../shared/ids.ts'

export const roles = ['admin', 'faculty', 'student'] as const
export const roleSchema = z.enum(roles)
export type Role = z.infer<typeof roleSchema>

/** Role as clients read it: an unknown role is treated as a learner. Servers use `roleSchema`. */
const lenientRole = roleSchema.catch('student')

/** The user's own profile as a client parses it. Missing values are empty strings. */
export const userSchema = z.object({
  _id: userIdSchema,
  fullName: z.string(),
  personalEmail: z.string(),
  mobileNumber: z.string(),
  universityName: z.string(),
  studentCode: z.string(),
  profileImage: z.string(),
  role: lenientRole,
  /** In which the user reads notifications that have it; BCP 47. Absent for English. */
  notificationLanguage: z.string().optional(),
})
export type User = z.infer<typeof userSchema>

/** A user as the server must send it. */
export const strictUserSchema = userSchema.extend({ role: roleSchema })

/** A user as admins see them. */
export const userSummarySchema = userSchema
  .pick({ _id: true, fullName: true, personalEmail: true, role: true })
  /** False until the user proves that they can read mail sent to the address. */
  .extend({ emailVerified: z.boolean().optional() })
export type UserSummary = z.infer<typeof userSummarySchema>

/** A user summary as the server must send it. */
export const strictUserSummarySchema = userSummarySchema.extend({ role: roleSchema })
