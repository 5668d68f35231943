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
import type { InboxVersion } from './live.ts'

/** The server's count and the sequence number at which it was true. This client never counts by itself. */
export type InboxHead = InboxVersion & { readonly unread: number }

const headStateAtom = atom<InboxHead | null>(null)
const logAtom = atom<ChangeLog | null>(null)
const viewStateAtom = atom<InboxView | null>(null)

export const headAtom = atom((get) => get(headStateAtom))

/** Whether arrivals are held back at the moment: the reader has scrolled. */
export const holdAtom = atom(false)

/** Rows that came in live and have not been shown before: they slide in. */
export const freshAtom = atom<ReadonlySet<NotificationId>>(new Set<NotificationId>())

/** Raised when what is held here can no longer be brought up to date by changes, so that pages are fetched again. */
export const resetCountAtom = atom(0)

/** Reads that the server has not answered yet. They are shown as done, and taken back if it refuses. */
type Hoped = { readonly ids: ReadonlySet<NotificationId>; readonly allUpTo: number }
const noHopes: Hoped = { ids: new Set<NotificationId>(), allUpTo: -1 }
const hopedAtom = atom<Hoped>(noHopes)

const replaceHeadAtom = atom(null, (_get, set, { epoch, seq, unread }: InboxHead) =>
  set(headStateAtom, { epoch, seq, unread }),
)

/**
 * Counts arrive by calls and by socket in any order; the one with the highest sequence number is the newest. Which epoch is the newer
 * one cannot be told from it: only the feed moves on to another (resetInboxAtom).
 */
export const learnHeadAtom = atom(null, (get, set, head: InboxHead) => {
  const known = get(headStateAtom)
  if (!known || (head.epoch === known.epoch && head.seq >= known.seq)) set(replaceHeadAtom, head)
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

/** The feed knows everything up to this head, and will report every change behind it. */
export const beginLogAtom = atom(null, (get, set, head: InboxHead) => {
  set(logAtom, emptyLog(head))
  if (get(headStateAtom)?.epoch !== head.epoch) set(replaceHeadAtom, head)
  set(learnHeadAtom, head)
  const view = get(viewStateAtom)
  if (view && (view.epoch !== head.epoch || view.seq < head.seq)) set(resetCountAtom, (count) => count + 1)
})

const freshen = (ids: ReadonlySet<NotificationId>, items: readonly InboxItem[]) =>
  items.length === 0 ? ids : new Set([...ids, ...items.map((item) => item._id)])

export const receiveChangesAtom = atom(null, (get, set, changes: readonly InboxChange[]) => {
  const log = get(logAtom)
  if (log) set(logAtom, appendChanges(log, changes))
  const view = get(viewStateAtom)
  // A page of another epoch is about to be fetched again.
  if (!view || view.epoch !== log?.epoch) return
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

/**
 * Shows a fetched page, brought up to date. 'missed': it was overtaken by more changes than are known here, so that it has to be
 * fetched again. 'other-epoch': it is shown with its own count, and fetched again until feed and pages agree on the epoch, which
 * two processes of the portal change at slightly different moments.
 */
export const showPageAtom = atom(
  null,
  (get, set, { unread, ...fetched }: FetchedPage & InboxHead): 'shown' | 'missed' | 'other-epoch' => {
    const log = get(logAtom)
    if (log && log.epoch !== fetched.epoch) {
      set(replaceHeadAtom, { ...fetched, unread })
      set(viewStateAtom, viewOf(fetched))
      return 'other-epoch'
    }
    set(learnHeadAtom, { ...fetched, unread })
    const missed = log ? changesSince(log, fetched.seq) : []
    if (missed === null) return 'missed'
    set(viewStateAtom, applyChanges(viewOf(fetched), missed, false))
    return 'shown'
  },
)

/** Shows what was held back. */
export const releaseAtom = atom(null, (get, set) => {
  const view = get(viewStateAtom)
  if (!view || view.heldCount === 0) return
  set(freshAtom, (ids) => freshen(ids, view.held))
  set(viewStateAtom, release(view))
})

/**
 * Too much was missed to be told change by change, or the inbox was numbered anew: pages are fetched again. In another epoch the
 * server's head counts as it is, even if it is lower, and what was hoped for under the old numbers is over.
 */
export const resetInboxAtom = atom(null, (get, set, head: InboxHead) => {
  if (get(logAtom)?.epoch !== head.epoch) {
    set(hopedAtom, noHopes)
    set(replaceHeadAtom, head)
  }
  set(learnHeadAtom, head)
  set(logAtom, emptyLog(head))
  set(resetCountAtom, (count) => count + 1)
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
    if (view?.epoch === answer.data.epoch) set(viewStateAtom, applyAnsweredRead(view, answer.data.notification))
  }
  set(hopedAtom, (hoped) => ({ ...hoped, ids: without(hoped.ids, id) }))
  return answer.success ? null : answer
})

/** Marks all that is known here as read, the same way. */
export const markAllReadAtom = atom(null, async (get, set): Promise<Failure | null> => {
  const head = get(headStateAtom)
  const shown = get(viewStateAtom)
  const upTo = head && head.epoch === (shown ?? head).epoch ? Math.max(head.seq, shown?.seq ?? 0) : (shown?.seq ?? 0)
  set(hopedAtom, (hoped) => ({ ...hoped, allUpTo: upTo }))
  const answer = await markAllRead()
  if (answer.success) {
    set(learnHeadAtom, answer.data)
    const view = get(viewStateAtom)
    // The message that carries the exact moment is still to come, or has come already.
    if (view && view.epoch === shown?.epoch && view.epoch === answer.data.epoch)
      set(viewStateAtom, applyAnsweredReadAll(view, upTo, new Date().toISOString()))
  }
  set(hopedAtom, (hoped) => ({ ...hoped, allUpTo: -1 }))
  return answer.success ? null : answer
})
