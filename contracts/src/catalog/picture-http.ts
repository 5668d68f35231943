import { z } from 'zod'
import { defineRoute, doneSchema } from '../shared/route.ts'
import * as error from './picture-errors.ts'
import { maxPictureBodyBytes, pictureBody } from './picture.ts'

/** Routes of pictures. A module of its own, because the first screen does not need them. */

export const uploadPicture = defineRoute({
  method: 'POST',
  path: '/admin/pictures',
  access: 'admin',
  summary: 'Upload a picture or a logo. The same file has the same address',
  body: pictureBody,
  bodyLimitBytes: maxPictureBodyBytes,
  response: doneSchema.extend({ data: z.object({ url: z.string() }) }),
  errors: [
    error.pictureUnreadable,
    error.pictureTooLarge,
    error.pictureUnsupported,
    error.tooManyPictures('12 minutes'),
  ],
})

export const getPicture = defineRoute({
  method: 'GET',
  path: '/pictures/:id',
  access: 'public',
  summary: 'An uploaded picture',
  params: z.object({ id: z.string().max(100, 'Picture not found') }),
  contentType: 'image/webp',
  response: z.string(),
  errors: [error.pictureNotFound],
})
