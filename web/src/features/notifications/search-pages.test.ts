import type { InboxFilter } from '@portal/contracts/notifications/inbox-filter'
import { describe, expect, it } from 'vitest'
import { fakeInbox, idOf } from '../../testing/fake-inbox.ts'
import { viewOf } from './apply-changes.ts'
import { hasPage, searchPages, type Direction } from './search-pages.ts'

const unread: InboxFilter = { filter: 'unread' }

/** A list whose first page, or another one, was loaded before the inbox changes. */
const openList = (arrivals: number, filter: InboxFilter, page = 1) => {
  const inbox = fakeInbox()
  for (let n = 0; n < arrivals; n++) inbox.arrive()
  const view = viewOf({ ...inbox.page(page, 10, filter), filter })
  const loaded: number[] = []
  const load = async (number: number) => {
    loaded.push(number)
    return inbox.page(number, 10, filter)
  }
  const search = async (title: string, direction: Direction, heldCount = 0) => {
    const index = view.items.findIndex((item) => item.title === title)
    const found = await searchPages({ ...view, heldCount }, index, direction, load)
    return found && [found.item.title, found.page.pagination.page]
  }
  return { inbox, view, search, loaded }
}

describe('the search for the next notification on other pages', () => {
  it('goes on with the adjoining page of a list that has not moved', async () => {
    const { search, loaded } = openList(30, {}, 2)
    expect(await search('Notice 11', 'older')).toEqual(['Notice 10', 3])
    expect(await search('Notice 20', 'newer')).toEqual(['Notice 21', 1])
    expect(loaded).toEqual([3, 1])
  })

  it('finds what has moved down with arrivals', async () => {
    const { inbox, search } = openList(30, {}, 2)
    for (let n = 0; n < 12; n++) inbox.arrive()
    expect(await search('Notice 20', 'newer', 12)).toEqual(['Notice 21', 3])
    expect(await search('Notice 11', 'older', 12)).toEqual(['Notice 10', 4])
  })

  it('finds what has moved up as notifications were read', async () => {
    const { inbox, search } = openList(40, unread, 3)
    for (let n = 11; n <= 40; n++) if (n !== 30) inbox.read(idOf(n))
    expect(await search('Notice 11', 'older')).toEqual(['Notice 10', 1])
    expect(await search('Notice 20', 'newer')).toEqual(['Notice 30', 1])
  })

  it('skips withdrawn notifications, also a page of them', async () => {
    const { inbox, search } = openList(30, {}, 1)
    inbox.recall(idOf(20))
    expect(await search('Notice 21', 'older')).toEqual(['Notice 19', 2])
    for (let n = 11; n <= 19; n++) inbox.recall(idOf(n))
    expect(await search('Notice 21', 'older')).toEqual(['Notice 10', 3])
  })

  it('finds nothing if the rest was read, and sends few requests', async () => {
    const { inbox, search, loaded } = openList(200, unread, 5)
    inbox.readAll()
    expect(await search('Notice 151', 'older')).toBeUndefined()
    expect(loaded.length).toBeLessThanOrEqual(6)
  })

  it('finds nothing after a failed request', async () => {
    const { view } = openList(30, {}, 1)
    expect(await searchPages(view, 9, 'older', () => Promise.resolve(undefined))).toBeUndefined()
  })
})

it('has another page as far as the list went', () => {
  const { view } = openList(30, {}, 2)
  expect([hasPage(view, 'older'), hasPage(view, 'newer')]).toEqual([true, true])
  const { view: only } = openList(10, {})
  expect([hasPage(only, 'older'), hasPage(only, 'newer')]).toEqual([false, false])
})
