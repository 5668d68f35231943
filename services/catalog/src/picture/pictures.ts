import { createHash } from 'node:crypto'
import { type PictureId, pictureIdSchema } from '@portal/contracts/catalog/picture'
import { eventIdsOf } from '@portal/platform/decider/event-id'
import { ok, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ApiError } from '@portal/platform/http/handler'
import { encodePicture } from './encode-picture.ts'
import { pictureEventSchema, type PictureEvent } from './events.ts'

const parse = storedEventReader(pictureEventSchema)
const streamOfPicture = (id: PictureId): string => streamOf('picture', id)

/** Pictures in memory. The logos of a page are read together. */
const maxCachedBytes = 16 * 1024 * 1024

const idOf = (file: Buffer): PictureId =>
  pictureIdSchema.parse(createHash('sha256').update(file).digest('hex').slice(0, 32))

/** Keeps the pictures that were read last, up to a total size. */
const createPictureCache = () => {
  const pictures = new Map<PictureId, Buffer>()
  let total = 0
  return {
    get: (id: PictureId): Buffer | undefined => {
      const found = pictures.get(id)
      if (found === undefined) return undefined
      pictures.delete(id)
      pictures.set(id, found)
      return found
    },
    add: (id: PictureId, bytes: Buffer): void => {
      if (pictures.has(id)) return
      pictures.set(id, bytes)
      total += bytes.length
      for (const [oldest, { length }] of pictures) {
        if (total <= maxCachedBytes) return
        pictures.delete(oldest)
        total -= length
      }
    },
  }
}

/**
 * Pictures are events in streams of their own, so that backup, restore and replication of the event store cover them
 * (docs/adr/0016-pictures-are-events.md).
 */
export const createPictures = ({ eventStore }: { readonly eventStore: Pick<EventStore, 'append' | 'read'> }) => {
  const cache = createPictureCache()

  const read = async (id: PictureId): Promise<Buffer | undefined> => {
    const cached = cache.get(id)
    if (cached !== undefined) return cached
    for await (const recorded of eventStore.read(streamOfPicture(id))) {
      const bytes = Buffer.from(parse(recorded).data.bytes, 'base64')
      cache.add(id, bytes)
      return bytes
    }
    return undefined
  }

  return {
    /** Undefined for an unknown picture. */
    read,
    /** Returns the id of the picture. The same file is recorded once. */
    add: async (file: Buffer, metadata: EventMetadata): Promise<Result<PictureId, ApiError>> => {
      const id = idOf(file)
      if ((await read(id)) !== undefined) return ok(id)
      const encoded = await encodePicture(file)
      if (!encoded.ok) return encoded
      const { width, height, bytes } = encoded.value
      const event: PictureEvent = {
        type: 'PictureAdded',
        data: { pictureId: id, width, height, bytes: bytes.toString('base64') },
      }
      // A conflict means that another process has just recorded the same file.
      await eventStore.append(streamOfPicture(id), 'no-stream', [
        { ...event, id: eventIdsOf('picture', id)(0), metadata },
      ])
      return ok(id)
    },
  }
}
export type Pictures = ReturnType<typeof createPictures>
