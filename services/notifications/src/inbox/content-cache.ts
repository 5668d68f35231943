import { type NotificationText, notificationTextSchema } from '@portal/contracts/notifications/events'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { createSemaphore } from '@portal/platform/async/semaphore'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ProjectionWriter, ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import { campaignDecider } from '../campaign/decider.ts'
import { textRef } from '../read-model.ts'

/** Two bytes a character, some 16 MiB in all. */
const cachedChars = 8 * 1024 * 1024
/** Streams read at a time for texts that are missing. */
const repairsAtOnce = 4
/** A text that could not be repaired is looked for again after this long. */
const retryRepairMs = 10_000
const rememberedFailures = 10_000

/** Where texts come from that the read model has lost: their sends on record. */
type TextRepair = {
  /** Undefined for a send that is not on record. */
  readonly fromLog: (id: NotificationId) => Promise<NotificationText | undefined>
  readonly logger: Pick<Logger, 'error' | 'info'>
}

type TextStore = ReadStore & Pick<ProjectionWriter, 'putImmutable'>

/** Each text once, however many pages ask for it at the moment, and few at a time. */
const createRepairs = (readModel: TextStore, { fromLog, logger }: TextRepair) => {
  const withPermit = createSemaphore(repairsAtOnce)
  const running = new Map<NotificationId, Promise<NotificationText | undefined>>()
  const failed = new LRUCache<NotificationId, true>({ max: rememberedFailures, ttl: retryRepairMs })

  const restore = async (text: NotificationText): Promise<void> => {
    try {
      await readModel.putImmutable(textRef(text.notificationId), text)
      logger.info({ notificationId: text.notificationId }, 'notification text restored from the log')
    } catch (error) {
      // It is shown all the same, and restored by the next process that misses it.
      logger.error({ err: error, notificationId: text.notificationId }, 'notification text could not be restored')
    }
  }

  const repair = async (id: NotificationId): Promise<NotificationText | undefined> => {
    try {
      const text = await withPermit(() => fromLog(id))
      if (text === undefined) throw new Error(`The send ${id} is not on record`)
      await restore(text)
      return text
    } catch (error) {
      failed.set(id, true)
      logger.error({ err: error, notificationId: id }, 'notification text missing, cannot be read from the log')
      return undefined
    }
  }

  return (id: NotificationId): Promise<NotificationText | undefined> => {
    if (failed.has(id)) return Promise.resolve(undefined)
    const known = running.get(id)
    if (known) return known
    const repairing = repair(id).finally(() => running.delete(id))
    running.set(id, repairing)
    return repairing
  }
}

/**
 * The texts of notifications. They never change, so what was read once is kept as long as there is room. The projection writes a
 * text before what needs it, but a failover of the read model can lose it: it is then restored from the log, where that is at hand.
 */
export const createContentCache = (readModel: TextStore, repair?: TextRepair) => {
  const cache = new LRUCache<NotificationId, NotificationText>({
    maxSize: cachedChars,
    sizeCalculation: (text) => text.title.length + text.message.length + 100,
  })
  const restored = repair && createRepairs(readModel, repair)

  const find = async (id: NotificationId, found: unknown): Promise<NotificationText | undefined> => {
    const text = found === undefined ? await restored?.(id) : notificationTextSchema.parse(found)
    if (text) cache.set(id, text)
    return text
  }

  return {
    /** In the order asked; undefined for one that is missing and cannot be restored at the moment. */
    many: async (ids: readonly NotificationId[]): Promise<readonly (NotificationText | undefined)[]> => {
      const known = new Map<NotificationId, NotificationText | undefined>()
      const missing: NotificationId[] = []
      for (const id of ids) {
        const text = cache.get(id)
        if (text) known.set(id, text)
        else missing.push(id)
      }
      if (missing.length > 0) {
        const found = await readModel.getMany(missing.map(textRef))
        await Promise.all(missing.map(async (id, index) => known.set(id, await find(id, found[index]))))
      }
      return ids.map((id) => known.get(id))
    },
  }
}
export type ContentCache = ReturnType<typeof createContentCache>

/** The text of a send as it was recorded; every stream of a send begins with it. */
export const readTextFromLog =
  (eventStore: Pick<EventStore, 'read'>) =>
  async (id: NotificationId): Promise<NotificationText | undefined> => {
    for await (const recorded of eventStore.read(streamOf(campaignDecider.category, id))) {
      const event = campaignDecider.parse(recorded)
      if (event.type === 'RecipientsTargeted' || event.type === 'CampaignSent') return event.data.text
    }
    return undefined
  }
