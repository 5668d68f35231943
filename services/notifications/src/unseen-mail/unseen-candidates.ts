import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { yieldToEventLoop } from '@portal/platform/async/event-loop-budget'
import type { ReadStore } from '@portal/platform/read-model/port'
import { campaignTotalOf, type SentCampaign, sentCampaignId, sentCampaignOf } from '../campaign/projection.ts'
import type { Devices } from '../device/devices.ts'
import {
  campaignList,
  campaignPartition,
  campaignTotalRef,
  currentRecipients,
  isRead,
  itemOf,
  recipientsOf,
  recipientsRef,
  resentRef,
} from '../read-model.ts'
import { readRecipientItems } from '../recipient-items.ts'

const dayMs = 86_400_000

/**
 * How long after it was due a notification is still worth an e-mail: a mail server may have been down for a weekend. An upgrade or a
 * restore must not send e-mails about what happened long ago.
 */
export const maxLatenessMs = 3 * dayMs

/** The read model's limit is 1,000. */
const usersPerRead = 500
const campaignsPerRead = 100

export type UnseenCandidates = { readonly notificationId: NotificationId; readonly userIds: readonly UserId[] }

type UnseenCandidatesDeps = {
  readonly readModel: Pick<ReadStore, 'epoch' | 'get' | 'getMany' | 'entries' | 'range'>
  readonly devices: Pick<Devices, 'holders'>
  /** EMAIL_UNSEEN_AFTER */
  readonly afterMs: number
}

/** Then the history is gone through again: a push that was held or retried for long can end without a device late. */
const againAfterMs = dayMs

/** The next bucket to look at, and when the look through the history began. */
type Cursor = {
  readonly epoch: string
  readonly begunMs: number
  readonly ordinal: number
  readonly bucket: number
}

/**
 * Finds who has no device and has not read a campaign some time after it was sent. It goes through the history, campaign by campaign and
 * bucket by bucket, and begins again once a day and after a start. The log says who has already got an e-mail.
 */
export const createUnseenCandidates = ({ readModel, devices, afterMs }: UnseenCandidatesDeps) => {
  let cursor: Cursor | undefined

  const ageMs = ({ sentAt }: Pick<SentCampaign, 'sentAt'>, nowMs: number): number => nowMs - Date.parse(sentAt)

  /** The first campaign that may still be worth an e-mail. The clock may have been a day behind when one was recorded. */
  const firstOrdinal = async (nowMs: number): Promise<number> => {
    const oldestMs = afterMs + maxLatenessMs + dayMs
    for (let to = campaignTotalOf(await readModel.get(campaignTotalRef)); to > 0; to -= campaignsPerRead) {
      const range = { from: to - campaignsPerRead + 1, to, order: 'descending', limit: campaignsPerRead } as const
      const entries = await readModel.range(campaignPartition, campaignList, range)
      const old = entries.find(({ value }) => ageMs(sentCampaignOf(value), nowMs) > oldestMs)
      if (old) return old.score + 1
      await yieldToEventLoop()
    }
    return 1
  }

  const unseenBy = async (
    bucket: string,
    notificationId: NotificationId,
    userIds: readonly UserId[],
  ): Promise<readonly UserId[]> => {
    const [items, holders] = await Promise.all([
      readRecipientItems(readModel, bucket, notificationId, userIds),
      devices.holders(userIds),
    ])
    return [...items].flatMap(([userId, { entry, head }]) =>
      entry && !isRead(itemOf(entry.value), head) && !holders.has(userId) ? [userId] : [],
    )
  }

  const unseenIn = async (bucket: string, notificationId: NotificationId): Promise<readonly UserId[]> => {
    const [first, resent] = await readModel.getMany([
      recipientsRef(bucket, notificationId),
      resentRef(bucket, notificationId),
    ])
    const withoutDevice = currentRecipients(recipientsOf(first), recipientsOf(resent))
      .settled.filter(({ state, reason }) => state === 'skipped' && reason === deliveryReasons.noDevice)
      .flatMap(({ userIds }) => userIds)
    const unseen: UserId[] = []
    for (let from = 0; from < withoutDevice.length; from += usersPerRead) {
      await yieldToEventLoop()
      unseen.push(...(await unseenBy(bucket, notificationId, withoutDevice.slice(from, from + usersPerRead))))
    }
    return unseen
  }

  return {
    /** Undefined if nothing more is due. */
    next: async (nowMs: number): Promise<UnseenCandidates | undefined> => {
      for (;;) {
        const { epoch } = readModel
        if (cursor?.epoch !== epoch || nowMs - cursor.begunMs >= againAfterMs)
          cursor = { epoch, begunMs: nowMs, ordinal: await firstOrdinal(nowMs), bucket: 0 }
        const { ordinal, bucket: index } = cursor
        const range = { from: ordinal, order: 'ascending', limit: 1 } as const
        const [entry] = await readModel.range(campaignPartition, campaignList, range)
        if (!entry) return undefined
        const campaign = sentCampaignOf(entry.value)
        const overdueMs = ageMs(campaign, nowMs) - afterMs
        if (overdueMs < 0) return undefined
        const bucket = campaign.buckets[index]
        if (bucket === undefined || campaign.recalledAt !== undefined || overdueMs > maxLatenessMs) {
          cursor = { ...cursor, ordinal: entry.score + 1, bucket: 0 }
          continue
        }
        const notificationId = sentCampaignId(entry.member)
        const userIds = await unseenIn(bucket, notificationId)
        cursor = { ...cursor, ordinal: entry.score, bucket: index + 1 }
        if (userIds.length > 0) return { notificationId, userIds }
      }
    },
  }
}
export type FindUnseen = ReturnType<typeof createUnseenCandidates>
