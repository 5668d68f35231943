import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { InboxChange } from '@portal/contracts/notifications/socket'
import type { NotificationId } from '@portal/contracts/shared/ids'
import { atom } from '../../lib/jotai.ts'
import type { Failure } from '../../lib/http.ts'
import { markAllRead, markRead } from './api.ts'
import {
  applyAnsweredRead,
  applyAnsweredReadAll,
  applyChanges,
  release,
  viewOf,
  type FetchedPage,
  type InboxView,
} from './apply-changes.ts'
import { appendChanges, changesSince, emptyLog, type ChangeLog } from './change-log.ts'

/** The server's count and the sequence number at which it was true. This client never counts by itself. */
export type InboxHead = { readonly seq: number; readonly unread: number }

const headStateAtom = atom<InboxHead | null>(null)
const logAtom = atom<ChangeLog | null>(null)
const viewStateAtom = atom<InboxView | null>(null)

export const headAtom = atom((get) => get(headStateAtom))

/** Whether arrivals are held back at the moment: the reader has scrolled. */
export const holdAtom = atom(false)

/** Rows that came in live and have not been shown before: they slide in. */
export const freshAtom = atom<ReadonlySet<NotificationId>>(new Set<NotificationId>())

/** Raised when what is held here can no longer be brought up to date by changes, so that pages are fetched anew. */
export const epochAtom = atom(0)

/** Reads that the server has not answered yet. They are shown as done, and taken back if it refuses. */
type Hoped = { readonly ids: ReadonlySet<NotificationId>; readonly allUpTo: number }
const noHopes: Hoped = { ids: new Set<NotificationId>(), allUpTo: -1 }
const hopedAtom = atom<Hoped>(noHopes)

/** Counts arrive by calls and by socket in any order; the one with the highest sequence number is the newest. */
export const learnHeadAtom = atom(null, (get, set, head: InboxHead) => {
  const known = get(headStateAtom)
  if (!known || head.seq >= known.seq) set(headStateAtom, { seq: head.seq, unread: head.unread })
})

/** The view as it is to be shown: with the reads that are hoped for. */
export const viewAtom = atom((get): InboxView | null => {
  const view = get(viewStateAtom)
  const hoped = get(hopedAtom)
  if (!view || (hoped.ids.size === 0 && hoped.allUpTo < 0)) return view
  const hope = (item: InboxItem) =>
    !item.isRead && (hoped.ids.has(item._id) || item.seq <= hoped.allUpTo) ? { ...item, isRead: true } : item
  return { ...view, items: view.items.map(hope) }
})

/** The feed knows everything up to `seq`, and will tell every change behind it. */
export const beginLogAtom = atom(null, (get, set, seq: number) => {
  set(logAtom, emptyLog(seq))
  const view = get(viewStateAtom)
  if (view && view.seq < seq) set(epochAtom, (epoch) => epoch + 1)
})

const freshen = (ids: ReadonlySet<NotificationId>, items: readonly InboxItem[]) =>
  items.length === 0 ? ids : new Set([...ids, ...items.map((item) => item._id)])

export const receiveChangesAtom = atom(null, (get, set, changes: readonly InboxChange[]) => {
  const log = get(logAtom)
  if (log) set(logAtom, appendChanges(log, changes))
  const view = get(viewStateAtom)
  if (!view) return
  const after = applyChanges(view, changes, get(holdAtom))
  set(viewStateAtom, after)
  const before = new Set(view.items.map((item) => item._id))
  set(freshAtom, (ids) =>
    freshen(
      ids,
      after.items.filter((item) => !before.has(item._id)),
    ),
  )
})

/** Takes a fetched page, brought up to date. False: changes were missed meanwhile, so that it has to be fetched again. */
export const showPageAtom = atom(null, (get, set, fetched: FetchedPage): boolean => {
  const log = get(logAtom)
  const missed = log ? changesSince(log, fetched.seq) : []
  if (missed === null) return false
  const view = applyChanges(viewOf(fetched), missed, false)
  set(viewStateAtom, view)
  return true
})

/** Shows what was held back. */
export const releaseAtom = atom(null, (get, set) => {
  const view = get(viewStateAtom)
  if (!view || view.heldCount === 0) return
  set(freshAtom, (ids) => freshen(ids, view.held))
  set(viewStateAtom, release(view))
})

/** Too much was missed to be told change by change: what is shown has to be fetched anew. */
export const resetInboxAtom = atom(null, (_get, set, head: InboxHead) => {
  set(learnHeadAtom, head)
  set(logAtom, emptyLog(head.seq))
  set(epochAtom, (epoch) => epoch + 1)
})

/** Everything of one reader is forgotten before another one signs in. */
export const forgetInboxAtom = atom(null, (_get, set) => {
  set(headStateAtom, null)
  set(logAtom, null)
  set(viewStateAtom, null)
  set(hopedAtom, noHopes)
  set(freshAtom, new Set<NotificationId>())
  set(holdAtom, false)
})

const without = (ids: ReadonlySet<NotificationId>, id: NotificationId) => new Set([...ids].filter((one) => one !== id))

/** Marks one as read: shown at once, taken back if the server refuses. Null, or why it was refused. */
export const markReadAtom = atom(null, async (get, set, id: NotificationId): Promise<Failure | null> => {
  if (get(hopedAtom).ids.has(id)) return null
  set(hopedAtom, (hoped) => ({ ...hoped, ids: new Set([...hoped.ids, id]) }))
  const answer = await markRead(id)
  if (answer.success) {
    set(learnHeadAtom, answer.data)
    const view = get(viewStateAtom)
    if (view) set(viewStateAtom, applyAnsweredRead(view, answer.data.notification))
  }
  set(hopedAtom, (hoped) => ({ ...hoped, ids: without(hoped.ids, id) }))
  return answer.success ? null : answer
})

/** Marks all that is known here as read, the same way. */
export const markAllReadAtom = atom(null, async (get, set): Promise<Failure | null> => {
  const upTo = Math.max(get(headStateAtom)?.seq ?? 0, get(viewStateAtom)?.seq ?? 0)
  set(hopedAtom, (hoped) => ({ ...hoped, allUpTo: upTo }))
  const answer = await markAllRead()
  if (answer.success) {
    set(learnHeadAtom, answer.data)
    const view = get(viewStateAtom)
    // The message that carries the exact moment is still to come, or has come already.
    if (view) set(viewStateAtom, applyAnsweredReadAll(view, upTo, new Date().toISOString()))
  }
  set(hopedAtom, (hoped) => ({ ...hoped, allUpTo: -1 }))
  return answer.success ? null : answer
})
