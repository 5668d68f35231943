import { type NotificationText, notificationTextSchema } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ReadModel } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import { textRef } from '../read-model.ts'

/** Two bytes a character, some 16 MiB in all. */
const cachedChars = 8 * 1024 * 1024

/** The texts of notifications. They never change, so what was read once is kept as long as there is room. */
export const createTexts = (readModel: Pick<ReadModel, 'getMany'>) => {
  const cache = new LRUCache<NotificationId, NotificationText>({
    maxSize: cachedChars,
    sizeCalculation: (text) => text.title.length + text.message.length + 100,
  })

  return {
    /** In the order asked. Throws for one that is not there: the projection writes a text before what needs it. */
    many: async (ids: readonly NotificationId[]): Promise<readonly NotificationText[]> => {
      const known = new Map<NotificationId, NotificationText>()
      const missing: NotificationId[] = []
      for (const id of ids) {
        const text = cache.get(id)
        if (text) known.set(id, text)
        else missing.push(id)
      }
      if (missing.length > 0) {
        const found = await readModel.getMany(missing.map(textRef))
        for (const [index, id] of missing.entries()) {
          const text = notificationTextSchema.parse(found[index])
          cache.set(id, text)
          known.set(id, text)
        }
      }
      return ids.flatMap((id) => known.get(id) ?? [])
    },
  }
}
export type Texts = ReturnType<typeof createTexts>
