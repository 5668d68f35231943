import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** A code sent to the number confirmed this registration, or was about to; or an admin gave the number to the account. */
export const mobileNumberEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('MobileNumberConfirmed'),
    data: z.object({ userId: userIdSchema, emailIndex: z.string(), at: z.iso.datetime() }),
  }),
])
export type MobileNumberEvent = z.infer<typeof mobileNumberEventSchema>
