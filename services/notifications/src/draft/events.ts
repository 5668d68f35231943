import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { draftKindSchema } from '@portal/contracts/notifications/draft-kind'
import { draftIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

const ofDraft = { draftId: draftIdSchema, userId: userIdSchema }

export const draftEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('DraftSaved'),
    data: z.object({
      ...ofDraft,
      kind: draftKindSchema,
      /** Both are encrypted with the key of the user: a draft may name people. */
      summary: encryptedTextSchema,
      content: encryptedTextSchema,
      savedAt: z.iso.datetime(),
    }),
  }),
  z.object({ type: z.literal('DraftDiscarded'), data: z.object(ofDraft) }),
])
export type DraftEvent = z.infer<typeof draftEventSchema>
