import { preferencesSchema } from '@portal/contracts/notifications/preferences'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

export const preferencesEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('PreferencesChanged'),
    data: z.object({ userId: userIdSchema, preferences: preferencesSchema }),
  }),
])
export type PreferencesEvent = z.infer<typeof preferencesEventSchema>
