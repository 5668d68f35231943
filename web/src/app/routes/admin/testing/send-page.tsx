import { cleanup, screen, within } from '@testing-library/react'
import type { User } from '@portal/contracts/auth/user'
import type { SentItem } from '@portal/contracts/notifications/sent-item'
import { paginationOf } from '@portal/contracts/shared/page'
import { Link } from 'react-router-dom'
import { afterEach, beforeEach, vi } from 'vitest'
import { aCampaign } from '../../../../features/campaigns/testing/campaigns.ts'
import { aPerson, serveAudience, userId } from '../../../../features/campaigns/testing/fake-audience.ts'
import { serveHeldSends } from '../../../../features/campaigns/testing/fake-held-sends.ts'
import { serveScheduledSends } from '../../../../features/campaigns/testing/fake-scheduled-sends.ts'
import { endSession, startSession } from '../../../../lib/session.ts'
import { SocketContext } from '../../../../lib/socket.ts'
import { serveDrafts } from '../../../../testing/fake-drafts.ts'
import { aUser, ok } from '../../../../testing/fake-portal.ts'
import { fakeServer, type FakeServer } from '../../../../testing/fake-server.ts'
import { fakeSocket } from '../../../../testing/fake-socket.ts'
import { renderPages } from '../../../../testing/render-pages.tsx'
import { fakeClock } from '../../../../testing/fake-clock.ts'
import { SendPage } from '../send-page.tsx'

const people = [aPerson(1, 'Asha Rao'), aPerson(2, 'Kiran Das'), aPerson(3, 'Ravi Rao')]
export const admin: User = aUser({ _id: userId(900), role: 'admin' })

export let server: FakeServer
export let clock: ReturnType<typeof fakeClock>
export let live: ReturnType<typeof fakeSocket>
export let heldSends: ReturnType<typeof serveHeldSends>
export let savedDrafts: ReturnType<typeof serveDrafts>
export let scheduledSends: ReturnType<typeof serveScheduledSends>
export let sends: SentItem[]

/** Starts each test of the send page as an admin with two sends, and ends it. */
export const setUpSendPage = (): void => {
  beforeEach(() => {
    localStorage.clear()
    sessionStorage.clear()
    startSession({ user: admin, token: 'token-1' })
    sends = [
      aCampaign(2, { live: 6, pending: 2, read: 3 }, { title: 'Exam moved', type: 'Exam' }),
      aCampaign(1, { skipped: 4 }),
    ]
    server = fakeServer()
    serveAudience(server, { people })
    server.on('GET /notifications/recent', ({ query }) => {
      const page = Number(query.get('page'))
      const limit = Number(query.get('limit'))
      const notifications = sends.slice((page - 1) * limit, page * limit)
      return ok({ notifications, pagination: paginationOf({ page, limit }, sends.length) })
    })
    heldSends = serveHeldSends(server)
    savedDrafts = serveDrafts(server)
    scheduledSends = serveScheduledSends(server)
    live = fakeSocket()
    clock = fakeClock()
    vi.spyOn(console, 'warn').mockReturnValue()
  })
  afterEach(async () => {
    cleanup()
    // A page that is left saves its draft.
    if (vi.isFakeTimers()) await clock.flush()
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    endSession('logged-out')
  })
}

export const replaceSends = (next: SentItem[]): void => {
  sends = next
}

export const open = async () => {
  const page = (
    <SocketContext value={live.socket}>
      <SendPage />
      <Link to="/elsewhere">Leave</Link>
    </SocketContext>
  )
  const elsewhere = <Link to="/admin/notifications">Return</Link>
  renderPages(
    {
      '/admin/notifications': page,
      '/admin/profile/notifications': <p>The own devices</p>,
      [`/admin/notifications/${aCampaign(3).id}`]: <p>The page of a send</p>,
      '/elsewhere': elsewhere,
    },
    '/admin/notifications',
  )
  await clock.flush()
}

export const title = () => screen.getByLabelText('Title')
export const message = () => screen.getByLabelText('Message')
export const type = () => screen.getByRole('combobox', { name: /^Type/ })
export const search = () => screen.getByRole('searchbox', { name: 'Search users' })
export const row = (name: string | RegExp) => screen.getByRole('checkbox', { name })
export const sendButton = () => screen.getByRole('button', { name: /^Send( to|ing\.| notification)/ })
export const press = async (button: HTMLElement) => {
  await clock.user.click(button)
  await clock.flush()
}
export const confirmButton = () => within(screen.getByRole('dialog')).getByRole('button', { name: 'Send' })
/** Asks to send and confirms, until the dialog has faded out. */
export const confirmSend = async () => {
  await press(sendButton())
  await press(confirmButton())
  await clock.advance(500)
}
export const hold = () => within(screen.getByRole('group', { name: 'Sending' }))
export const sendNow = () => press(hold().getByRole('button', { name: 'Send now' }))
export const send = async () => {
  await confirmSend()
  await sendNow()
}
/** The confirmed requests. */
export const sent = () => server.requestsTo('POST /notifications/held')
export const tests = () => server.requestsTo('POST /notifications/test')
export const keyOf = (n: number) => sent()[n]?.headers.get('idempotency-key')

export const writeToTwo = async () => {
  await clock.fill(title(), ' The hall is closed ')
  await clock.fill(message(), 'Please come to room 12.')
  await clock.user.click(row(/Asha Rao/))
  await clock.user.click(row(/Ravi Rao/))
}
