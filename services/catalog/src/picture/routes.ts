import { pictureNotFound, tooManyPictures } from '@portal/contracts/catalog/errors'
import { getPicture, uploadPicture } from '@portal/contracts/catalog/http'
import { pictureAddress, pictureIdSchema } from '@portal/contracts/catalog/picture'
import { ok, rejected } from '@portal/platform/decider/decider'
import { type BindRoute, metadataOf } from '@portal/platform/http/handler'
import { ImmutableFile } from '@portal/platform/http/immutable-file'
import { type AttemptLimit, type AttemptLimiter, formatDuration } from '@portal/platform/limits/port'
import type { FastifyInstance } from 'fastify'
import type { Pictures } from './pictures.ts'

/** Limits uploads per admin. Pictures are kept forever, so this bounds how fast the event store grows. */
export const pictureLimit: AttemptLimit = { max: 120, windowMs: 60 * 60 * 1000 }

type PictureRoutesDeps = {
  readonly bind: BindRoute
  readonly recorded: BindRoute
  readonly pictures: Pictures
  readonly uploads: AttemptLimiter
}

export const pictureRoutes = (app: FastifyInstance, { bind, recorded, pictures, uploads }: PictureRoutesDeps): void => {
  recorded(app, uploadPicture, async (call) => {
    const wait = await uploads.attempt(call.session.userId)
    if (wait !== undefined) return rejected({ ...tooManyPictures(formatDuration(wait)), retryAfterSeconds: wait })
    const added = await pictures.add(Buffer.from(call.body.file, 'base64'), metadataOf(call))
    if (!added.ok) return added
    const data = { url: pictureAddress(added.value) }
    return ok({ success: true, message: 'Picture uploaded successfully', data })
  })

  bind(app, getPicture, async ({ params }) => {
    const id = pictureIdSchema.safeParse(params.id)
    const bytes = id.success ? await pictures.read(id.data) : undefined
    return bytes === undefined ? rejected(pictureNotFound) : ok(new ImmutableFile(params.id, bytes))
  })
}
