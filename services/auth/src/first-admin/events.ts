import { z } from 'zod'
import { registrationDetailsSchema } from '../registration/events.ts'

export const firstAdminEventSchema = z.discriminatedUnion('type', [
  /** Comes again, with another password, when a process ended before it could show the first one. */
  z.object({
    type: z.literal('FirstAdminChosen'),
    data: z.object({
      attempt: z.number().int(),
      details: registrationDetailsSchema,
      /** From then on, this password opens no session any more. Absent where it may stay. */
      passwordExpiresAt: z.iso.datetime().optional(),
    }),
  }),
  /** Whoever started the portal has been shown the password. It is never shown again. */
  z.object({ type: z.literal('FirstAdminShown'), data: z.object({ attempt: z.number().int() }) }),
])
export type FirstAdminEvent = z.infer<typeof firstAdminEventSchema>
