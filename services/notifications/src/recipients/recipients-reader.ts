import { explainDelivery } from '@portal/contracts/notifications/delivery-reasons'
import type { CampaignRecipient, listRecipients, RecipientFilter } from '@portal/contracts/notifications/http'
import { type DeliveryStatus, deliveryStatuses } from '@portal/contracts/notifications/notification'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { type PageQuery, paginationOf } from '@portal/contracts/shared/page'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { z } from 'zod'
import { campaignList, campaignPartition } from '../read-model.ts'
import { type SentCampaign, sentCampaignOf } from '../campaign/projection.ts'
import { searchRanks } from './recipient-order.ts'
import { readRecipientTimes } from './recipient-times.ts'
import type { RecipientsView, RecipientsViews } from './recipients-view.ts'

type RecipientsPage = Omit<z.output<(typeof listRecipients)['response']>, 'success'>

type RecipientsReaderDeps = {
  readonly readModel: Pick<ReadStore, 'entry' | 'entries' | 'getMany' | 'range'>
  readonly views: RecipientsViews
}

/** The positions of the recipients whom the filter selects, by name. */
const select = async ({ order, groups, groupOf, people }: RecipientsView, filter: RecipientFilter) => {
  const { status, reason, q = '' } = filter
  const isWanted = groups.map(
    (group) => (status === undefined || group.status === status) && (reason === undefined || group.reason === reason),
  )
  const inGroups = order.positions.filter((position) => isWanted[groupOf[position] ?? 0] === true)
  if (q === '') return inGroups
  const isMatch = await searchRanks(people.byName, q)
  return inGroups.filter((position) => isMatch(order.ranks[position]))
}

/** Recipients who have not got it yet are pending. */
const countsOf = ({ groups, groupOf }: RecipientsView, targeted: number) => {
  const sizes = new Uint32Array(groups.length)
  for (const group of groupOf) sizes[group] = (sizes[group] ?? 0) + 1
  const sizeOf = (isIn: (status: DeliveryStatus) => boolean) =>
    groups.reduce((sum, { status }, index) => (isIn(status) ? sum + (sizes[index] ?? 0) : sum), 0)
  const settled = sizeOf((status) => status !== 'pending')
  // Object.fromEntries loses the key type.
  const counts = Object.fromEntries(
    deliveryStatuses.map((status) => [
      status,
      status === 'pending' ? targeted - settled : sizeOf((other) => other === status),
    ]),
  ) as Record<DeliveryStatus, number>
  const reasons = groups.flatMap(({ status, reason }, index) => {
    const count = sizes[index] ?? 0
    return reason === undefined || count === 0 ? [] : [{ status, reason, says: explainDelivery(status, reason), count }]
  })
  return { counts, reasons: reasons.toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)) }
}

/** The recipients that a filter selects, at one moment. */
export type SelectedRecipients = {
  readonly count: number
  /** Reads at most 1,000 rows. */
  rows(from: number, to: number): Promise<CampaignRecipient[]>
}

/** Reads who got a campaign and who did not. */
export const createRecipientsReader = ({ readModel, views }: RecipientsReaderDeps) => {
  const sentCampaign = async (id: NotificationId): Promise<SentCampaign | undefined> => {
    const entry = await readModel.entry(campaignPartition, campaignList, id)
    return entry && sentCampaignOf(entry.value)
  }

  const rowsAt = async (
    id: NotificationId,
    view: RecipientsView,
    positions: Uint32Array,
  ): Promise<CampaignRecipient[]> => {
    const users = [...positions].flatMap((position) => {
      const userId = view.userIds[position]
      const group = view.groups[view.groupOf[position] ?? 0]
      return userId && group ? [{ userId, group }] : []
    })
    const times = await readRecipientTimes(
      readModel,
      id,
      users.map(({ userId }) => userId),
    )
    return users.map(({ userId, group: { status, reason } }, index) => {
      const { fullName = '', personalEmail = '' } = view.people.person(userId) ?? {}
      const says = explainDelivery(status, reason)
      const facts = { userId, fullName, personalEmail, status, ...(reason !== undefined && { reason }), says }
      return { ...facts, ...times[index] }
    })
  }

  return {
    /** Undefined for an unknown campaign. */
    page: async (
      id: NotificationId,
      { page, limit, ...filter }: RecipientFilter & PageQuery,
    ): Promise<RecipientsPage | undefined> => {
      const sent = await sentCampaign(id)
      if (!sent) return undefined
      const view = await views(id, sent)
      const selected = await select(view, filter)
      const recipients = await rowsAt(id, view, selected.subarray((page - 1) * limit, page * limit))
      const pagination = paginationOf({ page, limit }, selected.length)
      return { recipients, ...countsOf(view, sent.targeted), pagination }
    },

    /** All rows that the filter selects, read in parts. Undefined for an unknown campaign. */
    select: async (id: NotificationId, filter: RecipientFilter): Promise<SelectedRecipients | undefined> => {
      const sent = await sentCampaign(id)
      if (!sent) return undefined
      const view = await views(id, sent)
      const selected = await select(view, filter)
      return { count: selected.length, rows: (from, to) => rowsAt(id, view, selected.subarray(from, to)) }
    },
  }
}
export type RecipientsReader = ReturnType<typeof createRecipientsReader>
