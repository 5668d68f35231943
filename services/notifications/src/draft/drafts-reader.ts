import type { DraftSummary } from '@portal/contracts/notifications/drafts'
import type { DraftId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { draftRef, isExpired, type ListedDraft, readDrafts, storedDraftSchema } from './projection.ts'

/** What is encrypted as `summary`. */
const summarySchema = z.object({ title: z.string(), about: z.string().optional() })
export type EncryptedSummary = z.infer<typeof summarySchema>

type DraftsReaderDeps = {
  readonly readModel: Pick<ReadStore, 'get' | 'range'>
  readonly vault: Pick<PersonalDataVault, 'decrypt'>
  readonly now: () => Date
}

export const createDraftsReader = ({ readModel, vault, now }: DraftsReaderDeps) => {
  /** Undefined after the erasure of the account. */
  const summaryOf = async (userId: UserId, draft: ListedDraft): Promise<DraftSummary | undefined> => {
    const { draftId: _id, kind, summary, version, savedAt: updatedAt } = draft
    const text = await vault.decrypt(userId, summary)
    return text === undefined ? undefined : { _id, kind, ...summarySchema.parse(JSON.parse(text)), version, updatedAt }
  }

  return {
    /** The last changed first. */
    list: async (userId: UserId): Promise<DraftSummary[]> => {
      const { drafts } = await readDrafts(readModel, userId)
      const current = drafts.filter(({ savedAt }) => !isExpired(savedAt, now().getTime()))
      const summaries = await Promise.all(
        current.slice(0, limits.draftsPerAdmin).map((draft) => summaryOf(userId, draft)),
      )
      return summaries.filter((summary) => summary !== undefined)
    },

    one: async (userId: UserId, draftId: DraftId): Promise<(DraftSummary & { content: string }) | undefined> => {
      const document = await readModel.get(draftRef(userId, draftId))
      if (document === undefined) return undefined
      const stored = storedDraftSchema.parse(document)
      if (isExpired(stored.savedAt, now().getTime())) return undefined
      const [summary, content] = await Promise.all([
        summaryOf(userId, { draftId, ...stored }),
        vault.decrypt(userId, stored.content),
      ])
      return summary && content !== undefined ? { ...summary, content } : undefined
    },
  }
}
export type DraftsReader = ReturnType<typeof createDraftsReader>
