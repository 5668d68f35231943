import { z } from 'zod'

/** What is sealed as a user's `profile`: everything that says who they are. */
export const profileSchema = z.object({
  fullName: z.string(),
  personalEmail: z.string(),
  mobileNumber: z.string(),
  universityName: z.string(),
  studentCode: z.string(),
})
export type Profile = z.infer<typeof profileSchema>
