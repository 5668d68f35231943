import type { User } from '@portal/contracts/auth/user'
import { inboxFilterSchema } from '@portal/contracts/notifications/inbox-filter'
import type {
  InboxChanged,
  ClientToServer,
  ServerToClient,
  SocketRejection,
} from '@portal/contracts/notifications/socket'
import { userIdSchema } from '@portal/contracts/shared/ids'
import type { ProblemCode } from '@portal/contracts/shared/problem'
import type { Server } from 'socket.io'
import type { FakeInbox } from './fake-inbox.ts'

/** The portal as one browser sees it: HTTP routes and sockets over an inbox that a test can change. */

export type FakeRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  readonly body: unknown
}
export type FakeAnswer = { readonly status: number; readonly body: unknown }
export type FakeHandler = (request: FakeRequest) => FakeAnswer | Promise<FakeAnswer>

export const ok = (body: object): FakeAnswer => ({ status: 200, body: { success: true, message: '', ...body } })

export const problem = (status: number, code: ProblemCode, message: string): FakeAnswer => ({
  status,
  body: { success: false, code, message },
})

export const aUser = (user: Partial<User> = {}): User => ({
  _id: userIdSchema.parse('01930000-0000-7000-8000-00000000aaaa'),
  fullName: 'Ananya Iyer',
  personalEmail: 'ananya@example.com',
  mobileNumber: '9876543210',
  universityName: 'Hill University',
  studentCode: 'MP26-00042',
  profileImage: '',
  role: 'student',
  ...user,
})

const inboxRoutes = (inbox: FakeInbox, emitChanges: (message: InboxChanged) => void) => {
  const changed = (since: number) => {
    if (inbox.head().seq > since) emitChanges(inbox.changedSince(since))
  }
  const findOpenable = (path: string) => {
    const item = inbox.find(path.split('/')[2] ?? '')
    return item?.withdrawnAt === undefined ? item : undefined
  }
  const notFound = problem(404, 'not-found', 'Notification not found')
  return {
    'GET /notifications': ({ query }: FakeRequest) => {
      const { items, pagination, epoch, seq } = inbox.page(
        Number(query.get('page') ?? 1),
        Number(query.get('limit') ?? 10),
        inboxFilterSchema.parse({ ...Object.fromEntries(query), type: query.getAll('type') }),
      )
      return ok({ notifications: items, pagination, epoch, seq, unread: inbox.head().unread })
    },
    'GET /notifications/unread/count': () => ok({ count: inbox.head().unread, ...inbox.head() }),
    'GET /notifications/:id': ({ path }: FakeRequest) => {
      const notification = findOpenable(path)
      return notification ? ok({ notification }) : notFound
    },
    'PUT /notifications/:id/read': ({ path }: FakeRequest) => {
      const since = inbox.head().seq
      const item = findOpenable(path)
      if (!item) return notFound
      inbox.read(item._id)
      changed(since)
      return ok({ notification: inbox.find(item._id), ...inbox.head() })
    },
    'PUT /notifications/:id/unread': ({ path }: FakeRequest) => {
      const since = inbox.head().seq
      const item = findOpenable(path)
      if (!item) return notFound
      inbox.markUnread(item._id)
      changed(since)
      return ok({ notification: inbox.find(item._id), ...inbox.head() })
    },
    'PUT /notifications/:id/clicked': ({ path }: FakeRequest) => (findOpenable(path) ? ok({}) : notFound),
    'PUT /notifications/mark-all-read': ({ query }: FakeRequest) => {
      const since = inbox.head().seq
      const upTo = query.get('epoch') === inbox.head().epoch ? query.get('upTo') : null
      inbox.readAll(upTo === null ? undefined : Number(upTo))
      changed(since)
      return ok(inbox.head())
    },
  } satisfies Record<string, FakeHandler>
}

/** `GET /notifications/:id` matches `GET /notifications/42`. A pattern without parameters wins. */
const matcherOf = (pattern: string) => new RegExp(`^${pattern.replace(/:[a-z]+/gi, '[^/]+')}$`)

export const fakePortal = (inbox: FakeInbox, io: Server<ClientToServer, ServerToClient>) => {
  const requests: FakeRequest[] = []
  const connections: unknown[] = []
  const seen: number[] = []
  const visibility: boolean[] = []
  /** Does what the gateway does: a client that does not declare recalls gets no message with one. */
  const emitChanges = (message: InboxChanged) => {
    const hasRecall = message.changes.some(({ kind }) => kind === 'recalled')
    for (const socket of io.sockets.sockets.values()) {
      const features: unknown = socket.handshake.auth['features']
      const accepts = Array.isArray(features) && features.includes('recalled')
      socket.emit('inbox:changed', hasRecall && !accepts ? { ...message, changes: [] } : message)
    }
  }
  const routes = new Map<string, FakeHandler>(Object.entries(inboxRoutes(inbox, emitChanges)))
  routes.set('POST /auth/logout', () => ok({ message: 'Logged out' }))

  let rejection: SocketRejection | undefined
  let rejectedConnections = 0
  io.use((_socket, next) => {
    if (rejection === undefined) return next()
    rejectedConnections += 1
    next(new Error(rejection))
  })
  io.on('connection', (socket) => {
    connections.push(socket.handshake.auth['token'])
    socket.on('inbox:resume', (message, acknowledge) => acknowledge(inbox.resume(message)))
    socket.on('inbox:seen', ({ seq }) => seen.push(seq))
    socket.on('tab:visibility', ({ visible }) => visibility.push(visible))
  })

  const find = (call: string) =>
    routes.get(call) ?? [...routes].find(([pattern]) => pattern.includes(':') && matcherOf(pattern).test(call))?.[1]

  return {
    requests,
    /** The tokens of all socket connections, in the order of connecting. */
    connections,
    seen,
    visibility,
    /** Sends the inbox changes since `since` to every connected tab. */
    emitChangesSince: (since: number) => emitChanges(inbox.changedSince(since)),
    /** Rejects new connections for this reason, or accepts them again. */
    rejectConnections: (reason: SocketRejection | undefined) => {
      rejection = reason
    },
    rejectedConnections: () => rejectedConnections,
    answer: (call: string, handler: FakeHandler) => void routes.set(call, handler),
    handle: async (method: string, address: string, headers: Headers, body: unknown): Promise<FakeAnswer> => {
      const url = new URL(address, 'http://portal')
      const request = { method, path: url.pathname, query: url.searchParams, headers, body }
      requests.push(request)
      const handler = find(`${method} ${url.pathname}`)
      return handler ? handler(request) : problem(404, 'not-found', `No route ${method} ${url.pathname}`)
    },
  }
}
