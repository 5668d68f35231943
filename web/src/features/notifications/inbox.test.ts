import type { InboxItem } from '@portal/contracts/notifications/notification'
import type { InboxChange } from '@portal/contracts/notifications/socket'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fakeInbox, idOf } from '../../testing/fake-inbox.ts'
import { appendChanges, changesSince, emptyLog } from './change-log.ts'
import {
  beginLog,
  emptyInbox,
  expectRead,
  expectReadAll,
  expectUnread,
  isBehind,
  knownUpTo,
  shownUnread,
  updateHead,
  receiveChanges,
  resetInbox,
  settleRead,
  settleReadAll,
  shownView,
  showPage,
  type Inbox,
} from './inbox.ts'

/** A server inbox with this number of notifications, and a tab that shows its first page. */
const openTab = (arrivals: number) => {
  const server = fakeInbox()
  for (let n = 0; n < arrivals; n++) server.arrive()
  const page = () => ({ ...server.page(1, 10), unread: server.head().unread })
  const { inbox } = showPage(beginLog(emptyInbox, server.head()), page())
  return { server, page, inbox }
}

const changesOf = (server: ReturnType<typeof fakeInbox>, seq: number): readonly InboxChange[] =>
  server.changedSince(seq).changes
const readStates = (inbox: Inbox) => shownView(inbox)?.items.map(({ isRead }) => isRead)
const firstOf = (inbox: Inbox): InboxItem => {
  const item = inbox.view?.items[0]
  if (!item) throw new Error('The page is empty')
  return item
}

describe('the inbox of a tab', () => {
  it('keeps the count with the highest sequence number, and ignores other epochs', () => {
    const { inbox, server } = openTab(2)
    const head = server.head()
    expect(updateHead(inbox, { ...head, seq: head.seq - 1, unread: 9 }).head).toEqual(head)
    expect(updateHead(inbox, { ...head, epoch: 'second', unread: 9 }).head).toEqual(head)
    expect(updateHead(inbox, { ...head, seq: head.seq + 1, unread: 9 }).head?.unread).toBe(9)
  })

  it('updates a page that was loaded before a change', () => {
    const { inbox, server, page } = openTab(1)
    const loaded = page()
    const before = server.head().seq
    server.arrive()
    const { inbox: after, outcome } = showPage(receiveChanges(inbox, changesOf(server, before)), loaded)
    expect(outcome).toBe('shown')
    expect(after.view?.items.map(({ title }) => title)).toEqual(['Notice 2', 'Notice 1'])
  })

  it('does not show a page that is older than its log', () => {
    const { inbox, server, page } = openTab(1)
    const loaded = page()
    server.arrive()
    const { inbox: after, outcome } = showPage(resetInbox(inbox, server.head()), loaded)
    expect(outcome).toBe('missed')
    expect(after.view).toBe(inbox.view)
  })

  it('shows a page of another epoch with its count', () => {
    const { inbox, server, page } = openTab(3)
    server.renumber('second', 1)
    const { inbox: after, outcome } = showPage(inbox, page())
    expect(outcome).toBe('other-epoch')
    expect(after).toMatchObject({ head: server.head(), view: { epoch: 'second' } })
  })

  it('must reload its page if the feed starts after it', () => {
    const { inbox, server } = openTab(1)
    expect(isBehind(inbox, server.head())).toBe(false)
    server.arrive()
    expect(isBehind(inbox, server.head())).toBe(true)
    expect(isBehind(emptyInbox, server.head())).toBe(false)
  })

  it('shows a read optimistically, and rolls it back if it is rejected', () => {
    const { inbox } = openTab(2)
    const expected = expectRead(inbox, firstOf(inbox)._id)
    expect(readStates(expected)).toEqual([true, false])
    expect(readStates(settleRead(expected, firstOf(inbox)._id, null))).toEqual([false, false])
    const notification = { ...firstOf(inbox), isRead: true, readAt: '2026-11-21T10:00:00.000Z' }
    const answer = { epoch: inbox.view?.epoch ?? '', seq: 3, unread: 1, notification }
    const settled = settleRead(expected, notification._id, answer)
    expect(readStates(settled)).toEqual([true, false])
    expect(settled.head?.unread).toBe(1)
  })

  it('shows a mark as unread optimistically, and rolls it back if it is rejected', () => {
    const { inbox: loaded, server } = openTab(2)
    const { _id } = firstOf(loaded)
    const before = server.head().seq
    server.read(_id)
    const inbox = receiveChanges(updateHead(loaded, server.head()), changesOf(server, before))
    const expected = expectUnread(inbox, _id)
    expect(readStates(expected)).toEqual([false, false])
    expect(readStates(settleRead(expected, _id, null, 'unreadIds'))).toEqual([true, false])
    server.markUnread(_id)
    const notification = server.find(_id) ?? firstOf(inbox)
    const settled = settleRead(expected, _id, { ...server.head(), notification }, 'unreadIds')
    expect(readStates(settled)).toEqual([false, false])
    expect(settled.head?.unread).toBe(2)
  })

  it('ignores an answer that the feed has overtaken', () => {
    const { inbox, server } = openTab(1)
    const { _id } = firstOf(inbox)
    const before = server.head().seq
    server.read(_id)
    const answer = { ...server.head(), notification: server.find(_id) ?? firstOf(inbox) }
    server.markUnread(_id)
    const followed = receiveChanges(updateHead(expectRead(inbox, _id), server.head()), changesOf(server, before))
    const settled = settleRead(followed, _id, answer)
    expect(readStates(settled)).toEqual([false])
    expect(settled.head?.unread).toBe(1)
  })

  it('shows all known notifications as read optimistically', () => {
    const { inbox, server } = openTab(2)
    const expected = expectReadAll(inbox, knownUpTo(inbox))
    expect(readStates(expected)).toEqual([true, true])
    expect(shownUnread(expected)).toBe(0)
    const undone = settleReadAll(expected, knownUpTo(inbox), null)
    expect(readStates(undone)).toEqual([false, false])
    expect(shownUnread(undone)).toBe(2)
    const before = server.head().seq
    server.arrive()
    const after = receiveChanges(updateHead(expected, server.head()), changesOf(server, before))
    expect(readStates(after)).toEqual([false, true, true])
    expect(shownUnread(after)).toBe(1)
  })

  it('shows the count of a mark-all before the feed has started', () => {
    const { inbox, server } = openTab(2)
    const expected = expectReadAll({ ...inbox, log: null }, knownUpTo(inbox))
    expect(readStates(expected)).toEqual([true, true])
    expect(shownUnread(expected)).toBe(0)
    expect(shownUnread(beginLog(expected, server.head()))).toBe(0)
  })

  it('keeps a later mark-all while an earlier one is answered', () => {
    const { inbox, server } = openTab(2)
    const first = knownUpTo(inbox)
    const before = server.head().seq
    server.arrive()
    const arrived = receiveChanges(updateHead(expectReadAll(inbox, first), server.head()), changesOf(server, before))
    const again = expectReadAll(arrived, knownUpTo(arrived))
    const settled = settleReadAll(again, first, { ...server.head(), unread: 1, readAt: '2026-11-21T10:00:00.000Z' })
    expect(readStates(settled)).toEqual([true, true, true])
    expect(shownUnread(settled)).toBe(0)
  })

  it('counts arrivals as unread during a mark-all exactly as the server will', () => {
    const step = fc.oneof(
      fc.constant('arrive' as const),
      fc.nat(15).map((which) => ({ kind: 'read' as const, which })),
      fc.nat(15).map((which) => ({ kind: 'recall' as const, which })),
      fc.nat(15).map((which) => ({ kind: 'markUnread' as const, which })),
    )
    fc.assert(
      fc.property(fc.nat(5), fc.array(step, { maxLength: 20 }), (arrivals, steps) => {
        const { inbox, server } = openTab(arrivals)
        const upTo = knownUpTo(inbox)
        let tab = expectReadAll(inbox, upTo)
        for (const next of steps) {
          const before = server.head().seq
          if (next === 'arrive') server.arrive()
          else server[next.kind](idOf(next.which))
          tab = receiveChanges(updateHead(tab, server.head()), changesOf(server, before))
        }
        const shown = shownUnread(tab)
        server.readAll(upTo.seq)
        expect(shown).toBe(server.head().unread)
      }),
    )
  })

  it('drops optimistic reads of another epoch', () => {
    const { inbox, server } = openTab(2)
    const reset = resetInbox(expectReadAll(inbox, knownUpTo(inbox)), {
      ...server.head(),
      epoch: 'second',
      seq: 0,
      unread: 5,
    })
    expect(readStates(reset)).toEqual([false, false])
    expect(reset.head).toEqual({ epoch: 'second', seq: 0, unread: 5 })
  })
})

const arrivals = (count: number) => {
  const inbox = fakeInbox()
  return Array.from({ length: count }, () => inbox.arrive())
}

describe('the change log', () => {
  it('updates a page that was fetched before the latest changes, but none that is older than the log', () => {
    const log = appendChanges(emptyLog({ epoch: 'first', seq: 0 }), arrivals(5))
    expect(changesSince(log, 3)?.map((change) => change.seq)).toEqual([4, 5])
    expect(changesSince(log, 5)).toEqual([])
    const began = emptyLog({ epoch: 'first', seq: 7 })
    expect(changesSince(began, 6)).toBeNull()
    expect(changesSince(began, 7)).toEqual([])
  })

  it('is limited, and knows which changes it has dropped', () => {
    const log = arrivals(450).reduce(
      (before, change) => appendChanges(before, [change]),
      emptyLog({ epoch: 'first', seq: 0 }),
    )
    expect(log.changes).toHaveLength(200)
    expect(log.since).toBe(250)
    expect(changesSince(log, 249)).toBeNull()
    expect(changesSince(log, 250)).toHaveLength(200)
  })
})
