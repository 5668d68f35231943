import { act, cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { User } from '@portal/contracts/auth/user'
import type { ClientToServer, ServerToClient } from '@portal/contracts/notifications/socket'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from 'socket.io'
import { vi } from 'vitest'
import { App } from '../app/app.tsx'
import { finishPendingWork } from '../lib/pending-work.ts'
import { endSession, startSession } from '../lib/session.ts'
import { fill } from './fill.ts'
import { fakeInbox, type FakeInbox } from './fake-inbox.ts'
import { fakePortal, type FakeHandler } from './fake-portal.ts'
import { ThemeStyles } from './styles.tsx'

// happy-dom's own API, which the DOM types do not have.
const { happyDOM: happyDom } = window as unknown as { readonly happyDOM: { setURL: (url: string) => void } }

// happy-dom has no animations.
HTMLElement.prototype.animate ??= () => new Animation()

type Options = {
  readonly path: string
  /** The signed-in user. */
  readonly user?: User
  /** Fills the inbox before the page opens. */
  readonly setUpInbox?: (inbox: FakeInbox) => void
  /** Replaces handlers of the fake portal. */
  readonly answers?: Readonly<Record<string, FakeHandler>>
  readonly startsOnline?: boolean
  /** What this session kept of its inbox before the page was reloaded. */
  readonly keptInbox?: string
  /** How far the clock of the server is ahead of the device's. */
  readonly serverAheadMs?: number
}

const address = (url: RequestInfo | URL) => (url instanceof Request ? url.url : String(url))

/** Renders the whole client against a fake portal. Requests are handled in process; sockets are real. */
export const openApp = async ({
  path,
  user,
  setUpInbox: arrange,
  answers = {},
  startsOnline: reachable = true,
  keptInbox,
  serverAheadMs = 0,
}: Options) => {
  const http = createServer()
  const io = new Server<ClientToServer, ServerToClient>(http)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  // The address of a server on a port is an AddressInfo.
  const { port } = http.address() as AddressInfo

  const inbox = fakeInbox()
  const portal = fakePortal(inbox, io)
  arrange?.(inbox)
  for (const [called, handler] of Object.entries(answers)) portal.answer(called, handler)

  let online = reachable
  const attempts: string[] = []
  vi.stubGlobal('fetch', async (url: RequestInfo | URL, init: RequestInit = {}) => {
    attempts.push(`${init.method ?? 'GET'} ${address(url)}`)
    if (!online) throw new TypeError('Failed to fetch')
    const body: unknown = typeof init.body === 'string' ? JSON.parse(init.body) : undefined
    const answer = await portal.handle(init.method ?? 'GET', address(url), new Headers(init.headers), body)
    if (init.signal?.aborted) throw new DOMException('Aborted', 'AbortError')
    const date = new Date(Date.now() + serverAheadMs).toUTCString()
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers: { date } })
  })

  happyDom.setURL(`http://127.0.0.1:${port}${path}`)
  if (user) startSession({ user, token: 'a-token' })
  if (keptInbox !== undefined) localStorage.setItem('kept_inbox', keptInbox)
  const events = userEvent.setup()
  const view = render(
    <>
      <ThemeStyles />
      <App />
    </>,
  )

  return {
    ...portal,
    inbox,
    /** All requests, also those that fail without a network. */
    attempts,
    user: events,
    /** Replaces the text of a field in one step. */
    fill: (field: HTMLElement, text: string) => fill(events, field, text),
    /** Changes the inbox and sends the changes to every connected tab. */
    updateInbox: (change: (inbox: FakeInbox) => void) => {
      const since = inbox.head().seq
      change(inbox)
      portal.emitChangesSince(since)
    },
    setOnline: (value: boolean) => {
      online = value
    },
    openConnections: () => [...io.sockets.sockets.values()].map((client): unknown => client.handshake.auth['token']),
    /** Closes every connection. The client reconnects by itself, as after a network failure. */
    dropConnections: () => {
      for (const client of io.sockets.sockets.values()) client.conn.close()
    },
    /** Sends a message to every connected tab. */
    emit: <Event extends keyof ServerToClient>(event: Event, ...message: Parameters<ServerToClient[Event]>) =>
      io.emit(event, ...message),
    endSessions: (reason: string) => io.emit('session:ended', { reason }),
    close: async () => {
      // An undo that was left open must not end in another test.
      await act(finishPendingWork)
      view.unmount()
      cleanup()
      endSession('logged-out')
      localStorage.clear()
      vi.unstubAllGlobals()
      await io.close()
    },
  }
}
export type OpenApp = Awaited<ReturnType<typeof openApp>>
