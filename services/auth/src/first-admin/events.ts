import { z } from 'zod'
import { registrationDetailsSchema } from '../registration/events.ts'

export const firstAdminEventSchema = z.discriminatedUnion('type', [
  /** Recorded again, with a new password, if a process ended before it could show the previous one. */
  z.object({
    type: z.literal('FirstAdminChosen'),
    data: z.object({
      attempt: z.number().int(),
      details: registrationDetailsSchema,
      /** Time after which the password is rejected. Absent: it does not expire. */
      passwordExpiresAt: z.iso.datetime().optional(),
    }),
  }),
  /** The password was displayed. It is never displayed again. */
  z.object({ type: z.literal('FirstAdminShown'), data: z.object({ attempt: z.number().int() }) }),
])
export type FirstAdminEvent = z.infer<typeof firstAdminEventSchema>
