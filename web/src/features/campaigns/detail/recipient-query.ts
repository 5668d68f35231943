import { listRecipients, type RecipientFilter } from '@portal/contracts/notifications/http'
import { deliveryStatusSchema } from '@portal/contracts/notifications/notification'

/** One page of the recipients that match a filter. */
export type RecipientQuery = { readonly page: number; readonly filter: RecipientFilter }

const isReason = (reason: string | null): reason is string =>
  reason !== null && reason !== '' && listRecipients.query.shape.reason.safeParse(reason).success

/** Reads the query from the address of the page. Invalid values are ignored. */
export const recipientQueryOf = (search: URLSearchParams): RecipientQuery => {
  const status = deliveryStatusSchema.safeParse(search.get('status'))
  const reason = search.get('reason')
  const q = search.get('search') ?? ''
  const page = Number(search.get('page') ?? '1')
  return {
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
    filter: {
      ...(status.success && { status: status.data }),
      ...(isReason(reason) && { reason }),
      ...(q !== '' && { q }),
    },
  }
}

export const recipientAddress = ({ page, filter }: RecipientQuery): URLSearchParams => {
  const { status, reason, q } = filter
  const search = new URLSearchParams()
  if (status !== undefined) search.set('status', status)
  if (reason !== undefined) search.set('reason', reason)
  if (q !== undefined) search.set('search', q)
  if (page > 1) search.set('page', String(page))
  return search
}

export const isUnfilteredList = ({ status, reason, q }: RecipientFilter): boolean =>
  status === undefined && reason === undefined && q === undefined
