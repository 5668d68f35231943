import { isFiltered } from '@portal/contracts/notifications/inbox-filter'
import type { QueryClient } from '@tanstack/react-query'
import type { Session } from '../../lib/session.ts'
import { throttle } from '../../lib/throttle.ts'
import { applyChanges, release, viewOf, type FetchedPage, type InboxView } from './apply-changes.ts'
import { changesSince } from './change-log.ts'
import { onInboxChange, readInbox } from './inbox-cache.ts'
import { noFilter } from './inbox-filter.ts'
import type { Inbox } from './inbox.ts'
import { forgetInbox, keepInbox, readKeptInbox } from './kept-inbox.ts'
import { finishKeptMarkAll } from './kept-mark-all.ts'
import { fetchPlace } from './use-inbox.ts'

const everyMs = 1_000

const isFirstPage = ({ pagination, filter }: InboxView): boolean => pagination.page === 1 && !isFiltered(filter)

/** The page with all changes that the server has reported. Null if it misses some that this tab does not know. */
const bringUpToDate = (page: FetchedPage, { log }: Inbox): FetchedPage | null => {
  if (!log) return page
  const missed = log.epoch === page.epoch ? changesSince(log, page.seq) : null
  if (missed === null) return null
  return missed.length === 0 ? page : applyChanges(viewOf(page), missed, false)
}

/**
 * Keeps the first page of the inbox on the device, as this tab learns of its changes. A kept page that may contain what was
 * withdrawn meanwhile is removed, and loaded again. Only confirmed data is kept. It also sends a mark-all that an
 * earlier page has left.
 */
export const startInboxKeeper = (client: QueryClient, session: Session): (() => void) => {
  let kept: FetchedPage | null = null
  let stopped = false

  const keep = async (page: FetchedPage) => {
    kept = page
    await keepInbox(session, page)
  }
  const replaceOutdated = async (isReloading: boolean) => {
    kept = null
    forgetInbox()
    if (isReloading) return
    const fetched = await fetchPlace({ page: 1, filter: noFilter })
    const page = fetched && bringUpToDate(fetched, readInbox(client))
    if (page && !stopped) await keep(page)
  }
  const update = async () => {
    if (stopped) return
    const inbox = readInbox(client)
    const shown = inbox.view && isFirstPage(inbox.view) ? release(inbox.view) : null
    const first = shown ?? kept
    if (!first) return
    const page = bringUpToDate(first, inbox)
    if (page === null) await replaceOutdated(shown !== null)
    else if (page !== kept) await keep(page)
  }

  let updates = (async () => {
    const known = await readKeptInbox()
    kept = known?.page ?? null
    await update()
  })()
  const updating = throttle(everyMs, () => {
    updates = updates.then(update)
  })
  const unsubscribe = onInboxChange(client, updating.trigger)
  const stopMarkAll = finishKeptMarkAll(client, session.user._id)
  return () => {
    stopped = true
    stopMarkAll()
    unsubscribe()
    updating.stop()
  }
}
