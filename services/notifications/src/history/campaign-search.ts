import type { NotificationId } from '@portal/contracts/shared/ids'
import { normalizeText, searchWords } from '@portal/contracts/shared/search-text'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { ReadStore } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import { shownTextOf } from '../inbox/stored-text.ts'
import { textRef } from '../read-model.ts'
import type { CampaignFacts } from './campaign-index.ts'

/** One byte per character for most texts. Texts beyond are read for each search. */
const maxCachedChars = 16 * 1024 * 1024
const textsPerRead = 200

/**
 * Searches titles and messages. It has texts of its own, normalized: searching must not evict the texts of pages from
 * their cache.
 */
export const createCampaignSearch = (readModel: Pick<ReadStore, 'getMany'>) => {
  const texts = new LRUCache<NotificationId, string>({
    maxSize: maxCachedChars,
    sizeCalculation: (text) => text.length + 50,
  })

  const readTexts = async (ids: readonly NotificationId[]): Promise<ReadonlyMap<NotificationId, string>> => {
    const documents = await readModel.getMany(ids.map(textRef))
    const read = new Map<NotificationId, string>()
    for (const [index, id] of ids.entries()) {
      const document = documents[index]
      if (document === undefined) continue
      const { title, message, translation } = shownTextOf(id, document)
      const all = [title, message, ...(translation ? [translation.title, translation.message] : [])]
      const text = normalizeText(all.join('\n'))
      texts.set(id, text)
      read.set(id, text)
    }
    return read
  }

  return {
    /** The campaigns whose title or message has every word. A recalled one has neither. */
    matching: async (campaigns: readonly CampaignFacts[], q: string): Promise<readonly CampaignFacts[]> => {
      const words = searchWords(q)
      if (words.length === 0) return campaigns
      const found: CampaignFacts[] = []
      for (let from = 0; from < campaigns.length; from += textsPerRead) {
        await yieldToEventLoop()
        const some = campaigns.slice(from, from + textsPerRead).filter(({ isRecalled }) => !isRecalled)
        const missing = some.flatMap(({ notificationId }) => (texts.has(notificationId) ? [] : [notificationId]))
        const read = missing.length === 0 ? undefined : await readTexts(missing)
        const hasWords = ({ notificationId }: CampaignFacts): boolean => {
          const text = texts.get(notificationId) ?? read?.get(notificationId)
          return text !== undefined && words.every((word) => text.includes(word))
        }
        found.push(...some.filter(hasWords))
      }
      return found
    },
    /** Forgets the texts of recalled campaigns. */
    forget: (campaigns: readonly CampaignFacts[]): void => {
      for (const { notificationId, isRecalled } of campaigns) if (isRecalled) texts.delete(notificationId)
    },
  }
}
export type CampaignSearch = ReturnType<typeof createCampaignSearch>
