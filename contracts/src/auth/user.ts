import { z } from 'zod'
import { userIdSchema } from '../shared/ids.ts'

export const roles = ['admin', 'faculty', 'student'] as const
export const roleSchema = z.enum(roles)
export type Role = z.infer<typeof roleSchema>

/** A user as the user sees themself. Empty text where nothing is recorded. */
export const userSchema = z.object({
  _id: userIdSchema,
  fullName: z.string(),
  personalEmail: z.string(),
  mobileNumber: z.string(),
  universityName: z.string(),
  studentCode: z.string(),
  profileImage: z.string(),
  role: roleSchema,
})
export type User = z.infer<typeof userSchema>

/** A user as admins see them. */
export const userSummarySchema = userSchema.pick({ _id: true, fullName: true, personalEmail: true, role: true })
export type UserSummary = z.infer<typeof userSummarySchema>
