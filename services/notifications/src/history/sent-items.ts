import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { portalSender, portalSenderName } from '@portal/contracts/notifications/portal-sender'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { resultWithin } from '@portal/platform/async/timeout'
import type { Entry } from '@portal/platform/read-model/port'
import type { PeopleIndex, PeopleSnapshot } from '../audience/people-index.ts'
import type { ContentCache } from '../inbox/content-cache.ts'
import { presentItem, textUnavailable } from '../inbox/presenter.ts'
import { withdrawnText } from '../inbox/stored-text.ts'
import type { CampaignProgressReader } from '../campaign/progress.ts'
import { type SentCampaign, sentCampaignId, sentCampaignOf } from '../campaign/projection.ts'

/** A row of the history. */
export type CampaignRow = SentCampaign & {
  readonly notificationId: NotificationId
  /** The campaign's number in the history. */
  readonly ordinal: number
}

export const campaignRowOf = ({ member, score, value }: Entry): CampaignRow => ({
  notificationId: sentCampaignId(member),
  ordinal: score,
  ...sentCampaignOf(value),
})

/** How long the history waits for names, which take some seconds to decrypt after a start. */
const namesTimeoutMs = 300

type Names = Pick<PeopleSnapshot, 'person'>

/** An admin with their name, which is empty after the account was deleted, or the portal itself. */
export const adminOf = ({ person }: Names, userId: UserId) => ({
  userId,
  fullName: userId === portalSender ? portalSenderName : (person(userId)?.fullName ?? ''),
})

type SentItemsDeps = {
  readonly contentCache: ContentCache
  readonly progress: Pick<CampaignProgressReader, 'sum'>
  readonly people: Pick<PeopleIndex, 'snapshot'>
}

/** Presents campaigns to admins, in the given order. At most 100 at once. */
export const createSentItems =
  ({ contentCache, progress, people }: SentItemsDeps) =>
  async (rows: readonly CampaignRow[]): Promise<SentItem[]> => {
    const [found, sums, names] = await Promise.all([
      contentCache.many(rows.map(({ notificationId }) => notificationId)),
      progress.sum(rows),
      resultWithin<Names>(people.snapshot(), namesTimeoutMs),
    ])
    return rows.flatMap(({ notificationId, ordinal, sentAt, sentBy, remindsOf, recalledAt }, index) => {
      // A recalled campaign never shows its text, even if this process still has it.
      const text = recalledAt === undefined ? found[index] : withdrawnText(notificationId)
      const sum = sums[index]
      if (!sum) return []
      return [
        {
          ...presentItem(text ?? textUnavailable(notificationId), { seq: ordinal, deliveredAt: sentAt }, null),
          ...(recalledAt !== undefined && { withdrawnAt: recalledAt }),
          ...(names && { sentBy: adminOf(names, sentBy) }),
          ...(remindsOf !== undefined && { remindsOf }),
          ...(text?.isUrgent && { isUrgent: text.isUrgent }),
          ...(text?.translation && { translation: text.translation }),
          progress: sum,
        },
      ]
    })
  }
export type SentItems = ReturnType<typeof createSentItems>
