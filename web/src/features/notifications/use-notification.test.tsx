import { act, cleanup, renderHook, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { QueryScopeContext } from '../../lib/query-scope.tsx'
import { fakeInbox, idOf } from '../../testing/fake-inbox.ts'
import { ok } from '../../testing/fake-portal.ts'
import { deferredAnswer, fakeServer } from '../../testing/fake-server.ts'
import { useNotification } from './use-notification.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const address = `/notifications/${idOf(1)}`
const read = `PUT ${address}/read`
const unread = `PUT ${address}/unread`

/** A server with one notification, which `open` displays in a session of its own. */
const setUp = () => {
  const inbox = fakeInbox()
  inbox.arrive()
  const item = inbox.items()[0]
  if (!item) throw new Error('the inbox has no item')
  const server = fakeServer()
  const shown = () => ok({ notification: item })
  const changed = () => ok({ notification: inbox.find(idOf(1)), ...inbox.head() })
  server.on(`GET ${address}`, shown)
  server.on(read, changed)
  server.on(unread, changed)
  const open = () => {
    const scope = {}
    return renderHook(() => useNotification(idOf(1)), {
      wrapper: ({ children }) => <QueryScopeContext value={scope}>{children}</QueryScopeContext>,
    })
  }
  const marks = () => server.requests.filter(({ call }) => call.startsWith('PUT')).map(({ call }) => call)
  return { item, server, shown, changed, open, marks }
}

it('[N-31] leaves unread what was marked so, although an answer comes before the page closes', async () => {
  const { item, server, shown, open, marks } = setUp()
  const { result } = open()
  await waitFor(() => expect(marks()).toEqual([read]))

  const late = deferredAnswer()
  server.on(`GET ${address}`, late.handler)
  act(() => void result.current.reload())
  act(() => result.current.markUnread(item))
  await waitFor(() => expect(marks()).toHaveLength(2))
  await act(async () => late.release(shown()))
  expect(marks()).toEqual([read, unread])
})

it('[N-31] marks as unread without waiting for a request of an earlier session', async () => {
  const { item, server, changed, open, marks } = setUp()
  server.on(read, deferredAnswer().handler)
  const earlier = open()
  await waitFor(() => expect(marks()).toEqual([read]))
  earlier.unmount()

  server.on(read, changed)
  const { result } = open()
  await waitFor(() => expect(marks()).toHaveLength(2))
  act(() => result.current.markUnread(item))
  await waitFor(() => expect(marks()).toEqual([read, read, unread]))
})
