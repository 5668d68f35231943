import { cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { InboxConnection } from '../features/notifications/inbox-connection.tsx'
import { endSession, startSession } from '../lib/session.ts'
import { SocketContext } from '../lib/socket.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { aUser, ok } from '../testing/fake-portal.ts'
import { fakeServer } from '../testing/fake-server.ts'
import { fakeSocket } from '../testing/fake-socket.ts'
import { renderPages } from '../testing/render-pages.tsx'
import { OfflineNotice } from './offline-notice.tsx'

let clock: ReturnType<typeof fakeClock>
beforeEach(() => {
  clock = fakeClock()
  fakeServer().on('GET /notifications/unread/count', () => ok({ count: 0, unread: 0, epoch: 'epoch-1', seq: 0 }))
  startSession({ user: aUser(), token: 'token-1' })
})
afterEach(() => {
  cleanup()
  endSession('logged-out')
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const paused = 'Live updates are paused until the connection is back.'
const open = (hasList: boolean) => {
  const live = fakeSocket()
  const paths = { one: () => '/notification/1', all: '/notification' }
  const page = (
    <SocketContext value={live.socket}>
      <InboxConnection paths={paths} hasList={hasList} onReadOrWithdrawn={() => {}} />
      <OfflineNotice />
    </SocketContext>
  )
  renderPages({ '/profile': page }, '/profile')
  return live
}

it('[E4] tells a learner after ten seconds that live updates stand still, until they arrive again', async () => {
  const live = open(true)
  await clock.advance(60_000)
  expect(screen.queryByText(paused)).toBeNull()
  live.disconnect()
  await clock.advance(9_999)
  expect(screen.queryByText(paused)).toBeNull()
  await clock.advance(1)
  expect(screen.getByText(paused).parentElement?.getAttribute('aria-live')).toBe('polite')
  live.reconnect()
  await clock.flush()
  expect(screen.queryByText(paused)).toBeNull()
})

it('tells an admin nothing, who sees it where it counts', async () => {
  const live = open(false)
  live.disconnect()
  await clock.advance(60_000)
  expect(screen.queryByText(paused)).toBeNull()
})
