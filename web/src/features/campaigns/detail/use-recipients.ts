import { listRecipients, type CampaignRecipient } from '@portal/contracts/notifications/http'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { useState } from 'react'
import { call } from '../../../lib/http.ts'
import { useRequestQuery } from '../../../lib/query.ts'
import { useAddressSearch } from '../../../lib/use-address-search.ts'
import { recipientAddress, recipientQueryOf, type RecipientQuery } from './recipient-query.ts'
import { keepSteady } from './steady-rows.ts'

const pageSize = 50

/** A page of the recipients, with its filter in the address. It is updated in place by `reload`. */
export const useRecipients = (id: NotificationId) => {
  const [search, setSearch] = useAddressSearch()
  const query = recipientQueryOf(search)
  const address = recipientAddress(query).toString()
  const { state, isPrevious, reload } = useRequestQuery({
    key: ['recipients-of', id, address],
    request: (signal) =>
      call(listRecipients, { params: { id }, query: { ...query.filter, page: query.page, limit: pageSize }, signal }),
    keepsPrevious: true,
  })

  /** The rows as the reader first saw them. */
  const [steady, setSteady] = useState<{ readonly address: string; readonly rows: readonly CampaignRecipient[] }>()
  const latest = state.kind === 'loaded' && !isPrevious ? state.data.recipients : undefined
  if (latest && steady?.address !== address) setSteady({ address, rows: latest })
  const shown =
    latest && steady?.address === address
      ? keepSteady(steady.rows, latest)
      : { rows: state.kind === 'loaded' ? state.data.recipients : [], hasChanged: false }

  return {
    query,
    state,
    ...shown,
    /** Whether the rows of another page or filter are still displayed. */
    isBusy: isPrevious,
    reload,
    show: (next: RecipientQuery) => setSearch(recipientAddress(next), { replace: true }),
    /** Accepts the order and the rows of the latest answer. */
    refresh: () => {
      if (latest) setSteady({ address, rows: latest })
    },
  }
}
export type RecipientsPage = ReturnType<typeof useRecipients>
