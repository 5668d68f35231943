import { QueryClient } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { fakeInbox, idOf } from '../../testing/fake-inbox.ts'
import { updateInbox } from './inbox-cache.ts'
import { beginLog, emptyInbox, receiveChanges, showPage, updateHead, type Inbox } from './inbox.ts'
import { readOrWithdrawn, watchReadOrWithdrawn } from './read-or-withdrawn.ts'

/** A tab that follows the inbox from its second notification on, without a list. */
const openTab = () => {
  const server = fakeInbox()
  for (let n = 1; n <= 2; n++) server.arrive()
  let inbox: Inbox = beginLog(emptyInbox, server.head())
  let { seq } = server.head()
  const follow = () => {
    const { changes } = server.changedSince(seq)
    inbox = receiveChanges(updateHead(inbox, server.head()), changes)
    ;({ seq } = server.head())
    return inbox
  }
  return { server, follow, inbox: () => inbox }
}

const over = (inbox: Inbox, ...numbers: readonly number[]) => {
  const isOver = readOrWithdrawn(inbox)
  return numbers.filter((n) => isOver(idOf(n)))
}

describe('what needs no push any longer', () => {
  it('is read or withdrawn by the changes that arrive without a list', () => {
    const { server, follow } = openTab()
    for (let n = 3; n <= 5; n++) server.arrive()
    server.read(idOf(1))
    server.read(idOf(3))
    server.recall(idOf(4))
    expect(over(follow(), 1, 2, 3, 4, 5)).toEqual([1, 3, 4])
    server.markUnread(idOf(3))
    expect(over(follow(), 1, 2, 3, 4, 5)).toEqual([1, 4])
  })

  it('is read by a mark-all, but not what has arrived after it', () => {
    const { server, follow } = openTab()
    server.arrive()
    server.readAll()
    server.arrive()
    expect(over(follow(), 3, 4)).toEqual([3])
  })

  it('is everything once nothing is unread, also what this tab has never seen', () => {
    const { server, follow } = openTab()
    expect(over(follow(), 1, 2)).toEqual([])
    server.readAll()
    expect(over(follow(), 1, 2)).toEqual([1, 2])
  })

  it('is read by the list, which has the answer to a request before the change arrives', () => {
    const { server, follow } = openTab()
    const before = follow()
    server.read(idOf(1))
    const { inbox } = showPage(before, { ...server.page(1, 10), unread: server.head().unread })
    expect(over(inbox, 1, 2)).toEqual([1])
  })
})

it('is said with each news of the server, and not by what this tab does meanwhile', () => {
  const { server, follow, inbox } = openTab()
  const client = new QueryClient()
  updateInbox(client, inbox)
  const said: (readonly boolean[])[] = []
  const stop = watchReadOrWithdrawn(client, (isOver) => said.push([1, 2].map((n) => isOver(idOf(n)))))
  updateInbox(client, (known) => ({ ...known, isListOpen: true }))
  expect(said).toEqual([])
  server.read(idOf(2))
  updateInbox(client, follow)
  expect(said).toEqual([[false, true]])
  stop()
  server.readAll()
  updateInbox(client, follow)
  expect(said).toHaveLength(1)
})
