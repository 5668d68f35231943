import { pictureIdSchema } from '@portal/contracts/catalog/picture'
import { z } from 'zod'

/** The only event of its stream: a picture never changes. */
export const pictureEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('PictureAdded'),
    data: z.object({
      pictureId: pictureIdSchema,
      width: z.number().int(),
      height: z.number().int(),
      /** A WebP file as base64. */
      bytes: z.string(),
    }),
  }),
])
export type PictureEvent = z.infer<typeof pictureEventSchema>
