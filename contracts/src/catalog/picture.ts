import { z } from 'zod'

/** Limit of an uploaded file, and of the picture that is made of it. */
export const maxPictureBytes = 512 * 1024

/** The file as base64, and room for the rest of the body. */
export const maxPictureBodyBytes = Math.ceil(maxPictureBytes / 3) * 4 + 1024

const unreadable = 'This file is damaged or is not a picture'

export const pictureBody = z.object({
  /** The bytes of a PNG, JPEG or WebP file as base64. */
  file: z.base64(unreadable).min(1, unreadable),
})

/** The first half of a SHA-256 of the uploaded file. */
export const pictureIdSchema = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .brand<'PictureId'>()
export type PictureId = z.infer<typeof pictureIdSchema>

/** The address of a picture for `logoUrl` and `imageUrl`. */
export const pictureAddress = (id: PictureId): string => `/pictures/${id}`
