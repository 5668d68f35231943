import { screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { fakeInbox, type FakeInbox } from '../../testing/fake-inbox.ts'
import { aUser } from '../../testing/fake-portal.ts'
import { openApp, type OpenApp } from '../../testing/open-app.tsx'

let app: OpenApp

const answerOf = (inbox: FakeInbox) => {
  const { items, ...page } = inbox.page(1)
  return { success: true, notifications: items, ...page, unread: inbox.head().unread }
}

/** Opens the inbox with the answer that index.html has requested. */
const open = async (early: (inbox: FakeInbox) => Promise<unknown>, token = 'a-token', path = '/notification') => {
  app = await openApp({
    path,
    user: aUser(),
    setUpInbox: (inbox) => {
      inbox.arrive()
      inbox.arrive()
      globalThis.early = {
        session: { role: 'student', token },
        answers: { '/notifications?page=1&limit=10': early(inbox) },
      }
    },
  })
}

const requested = () => app.requests.filter(({ method, path }) => method === 'GET' && path === '/notifications')
const isConnected = () => waitFor(() => expect(app.seen).toContain(app.inbox.head().seq))

describe('the inbox after an early request', () => {
  afterEach(async () => {
    globalThis.early = undefined
    await app.close()
  })

  it('shows its answer without a second request, and uses it once', async () => {
    await open((inbox) => Promise.resolve(answerOf(inbox)))
    await screen.findByText('Showing 1 to 2 of 2 notifications')
    await isConnected()
    expect(requested()).toEqual([])

    await app.user.click(await screen.findByRole('button', { name: 'Unread' }))
    await waitFor(() => expect(requested()).toHaveLength(1))
    await app.user.click(screen.getByRole('button', { name: 'All' }))
    await waitFor(() => expect(requested()).toHaveLength(2))
  })

  it('requests the list again if the answer is outdated', async () => {
    await open((inbox) => {
      const answer = answerOf(inbox)
      inbox.arrive()
      return Promise.resolve(answer)
    })
    await screen.findByText('Showing 1 to 3 of 3 notifications')
    await isConnected()
    expect(requested()).toHaveLength(1)
  })

  it.each([
    ['failed', () => Promise.resolve(false)],
    ['broke off', () => Promise.resolve(undefined)],
    ['was not of the portal', () => Promise.resolve({ notifications: 'none' })],
  ])('requests the list if the early request %s', async (_how, early) => {
    await open(early)
    await screen.findByText('Showing 1 to 2 of 2 notifications')
    expect(requested()).toHaveLength(1)
  })

  it('does not show the answer to another session', async () => {
    const { items: _items, ...rest } = fakeInbox().page(1)
    await open(
      (inbox) => Promise.resolve({ success: true, notifications: [], ...rest, ...inbox.head() }),
      'the token of another session',
    )
    await screen.findByRole('link', { name: /Notice 2/ })
    expect(requested()).toHaveLength(1)
  })

  it('belongs to the first page', async () => {
    await open((inbox) => Promise.resolve(answerOf(inbox)), 'a-token', '/notification?filter=unread')
    await screen.findByText('Showing 1 to 2 of 2 notifications')
    expect(requested()).toHaveLength(1)
  })
})
