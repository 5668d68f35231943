import type { NotificationId } from '@portal/contracts/shared/ids'
import { createSemaphore } from '@portal/platform/async/semaphore'
import type { EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { ProjectionWriter, ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import type { Logger } from 'pino'
import { campaignDecider } from '../campaign/decider.ts'
import type { CampaignEvent } from '../campaign/events.ts'
import { textRef } from '../read-model.ts'
import { type ShownText, shownTextOf, textDocument, withdrawnText } from './stored-text.ts'

/** Two bytes per character: about 16 MiB. */
const maxCachedChars = 8 * 1024 * 1024
/** A recall erases the text, and another process may have applied it. Callers check for recalls themselves. */
const cachedForMs = 60_000
/** Concurrent stream reads for missing content. */
const repairConcurrency = 4
/** Pause before a failed restore is retried. */
const retryRepairMs = 10_000
const maxFailures = 10_000

/** Restores content that the read model has lost from the log. */
type TextRepair = {
  /** Undefined for an unknown campaign. */
  readonly fromLog: (id: NotificationId) => Promise<ShownText | undefined>
  readonly logger: Pick<Logger, 'error' | 'info'>
}

type TextStore = ReadStore & Pick<ProjectionWriter, 'putImmutable'>

/** Restores each content once for concurrent callers, with limited concurrency. */
const createRepairs = (readModel: TextStore, { fromLog, logger }: TextRepair) => {
  const withPermit = createSemaphore(repairConcurrency)
  const running = new Map<NotificationId, Promise<ShownText | undefined>>()
  const failed = boundedCache<NotificationId, true>(maxFailures, retryRepairMs)

  const restore = async (text: ShownText): Promise<void> => {
    try {
      await readModel.putImmutable(textRef(text.notificationId), textDocument(text))
      logger.info({ notificationId: text.notificationId }, 'notification text restored from the log')
    } catch (error) {
      // Show it anyway. The next process that misses it restores it.
      logger.error({ err: error, notificationId: text.notificationId }, 'notification text could not be restored')
    }
  }

  const repair = async (id: NotificationId): Promise<ShownText | undefined> => {
    try {
      const text = await withPermit(() => fromLog(id))
      if (text === undefined) throw new Error(`campaign ${id} is not recorded`)
      await restore(text)
      return text
    } catch (error) {
      failed.set(id, true)
      logger.error({ err: error, notificationId: id }, 'notification text missing, cannot be read from the log')
      return undefined
    }
  }

  return (id: NotificationId): Promise<ShownText | undefined> => {
    if (failed.has(id)) return Promise.resolve(undefined)
    const known = running.get(id)
    if (known) return known
    const repairing = repair(id).finally(() => running.delete(id))
    running.set(id, repairing)
    return repairing
  }
}

/**
 * Caches the content of notifications. Content is immutable until a recall erases it. The projection writes content before anything that refers to it, but a failover of the read model can lose it. It is then
 * restored from the log, if this process has access to it.
 */
export const createContentCache = (readModel: TextStore, repair?: TextRepair) => {
  const cache = new LRUCache<NotificationId, ShownText>({
    maxSize: maxCachedChars,
    ttl: cachedForMs,
    sizeCalculation: ({ title, message, button, image = '', translation }) =>
      title.length +
      message.length +
      image.length +
      (button ? button.label.length + button.url.length : 0) +
      (translation ? translation.title.length + translation.message.length : 0) +
      100,
  })
  const restored = repair && createRepairs(readModel, repair)

  const find = async (id: NotificationId, found: unknown): Promise<ShownText | undefined> => {
    const text = found === undefined ? await restored?.(id) : shownTextOf(id, found)
    if (text) cache.set(id, text)
    return text
  }

  return {
    /** Returns texts in the given order; undefined for content that is missing and cannot be restored now. */
    many: async (ids: readonly NotificationId[]): Promise<readonly (ShownText | undefined)[]> => {
      const known = new Map<NotificationId, ShownText | undefined>()
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

/** Events with the text of their campaign, and the one that erases it. Others are not parsed. */
const aboutText: ReadonlySet<string> = new Set([
  'RecipientsTargeted',
  'CampaignSent',
  'CampaignPlanned',
  'CampaignRecalled',
] satisfies readonly CampaignEvent['type'][])

/** Reads a campaign's content from the log: all of its stream, because a recall can be at the end. */
export const readTextFromLog =
  (eventStore: Pick<EventStore, 'read'>) =>
  async (id: NotificationId): Promise<ShownText | undefined> => {
    let text: ShownText | undefined
    for await (const recorded of eventStore.read(streamOf(campaignDecider.category, id))) {
      if (!aboutText.has(recorded.type) || (text !== undefined && recorded.type !== 'CampaignRecalled')) continue
      const event = campaignDecider.parse(recorded)
      if (event.type === 'CampaignRecalled') return withdrawnText(id)
      if ('text' in event.data) text = event.data.text
    }
    return text
  }
