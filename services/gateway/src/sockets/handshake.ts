import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SocketRejection } from '@portal/contracts/notifications/socket'
import { hasRequiredHost, type HostRule } from '@portal/platform/http/allowed-hosts'
import { clientAddressOf, type IsTrustedProxy } from '@portal/platform/http/client-address'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors, httpStatusOf } from '@portal/platform/http/problem'
import { isForeignOrigin, passesCsrfCheck } from '@portal/platform/http/request-origin'
import type { SecurityHeaders } from '@portal/platform/http/security-headers'
import { addressGroup } from '@portal/platform/limits/address-group'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import { credentialsOf, type Session, type SessionVerifier } from '@portal/platform/session/session'
import type { Logger } from 'pino'
import { z } from 'zod'
import { type Connections, type PortalSocket, socketsOf } from './connections.ts'
import type { SocketLimits } from './limits.ts'
import { declaredFeatures } from './client-features.ts'
import { closeNow, type ConnectionOwner } from './unidentified.ts'

/** The route of socket requests in the security log. */
export const socketRoute = '/socket.io/'

type ProtectDeps = { readonly hosts: HostRule | undefined; readonly headers: SecurityHeaders }

const isJsonp = (url = ''): boolean => new URLSearchParams(url.split('?')[1]).has('j')

const apiErrorOf = (request: IncomingMessage, hosts: HostRule | undefined): ApiError | undefined => {
  if (!hasRequiredHost(request)) return apiErrors.notOneHost
  if (hosts && !hosts(request)) return apiErrors.foreignHost
  // Engine.IO would answer with a script, which pages of other sites can load.
  return isJsonp(request.url) ? apiErrors.invalid : undefined
}

/** Checks the Host and sets response headers for every request and upgrade, also on open connections. */
export const protectRequests =
  ({ hosts, headers }: ProtectDeps) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    const error = apiErrorOf(request, hosts)
    if (!error) return next()
    const { code, message } = error
    response.writeHead(httpStatusOf(code), { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    response.end(JSON.stringify({ success: false, code, message }))
  }

/** The session token in the request's headers, if the request comes from a page of the portal. */
const tokenOfRequest = ({ headers }: IncomingMessage, publicOrigin: string | undefined): string | undefined => {
  const credentials = credentialsOf({ headers }, publicOrigin?.startsWith('https:'))
  return credentials && passesCsrfCheck({ headers }, credentials.by, publicOrigin) ? credentials.token : undefined
}

type HandshakeRequestDeps = {
  readonly sessions: SessionVerifier
  readonly publicOrigin: string | undefined
  readonly isTrusted: IsTrustedProxy
  readonly securityLog: SecurityLog | undefined
  readonly logger: Logger
}

/**
 * Checks the request that opens a connection. Rejects pages of other sites, because browsers do not apply CORS to
 * web sockets. The request's session, if any, only decides which limit the connection counts towards.
 */
export const createHandshakeRequests = (deps: HandshakeRequestDeps) => {
  const { sessions, publicOrigin, isTrusted, securityLog, logger } = deps
  const owners = new WeakMap<IncomingMessage, ConnectionOwner>()

  const sessionOf = async (request: IncomingMessage): Promise<Session | undefined> => {
    const token = tokenOfRequest(request, publicOrigin)
    if (token === undefined) return undefined
    try {
      return await sessions.verify(token, 'look')
    } catch (error) {
      logger.warn({ err: error }, 'session check failed, connection counted as anonymous')
      return undefined
    }
  }

  return {
    /** Returns undefined if the request is allowed. */
    rejectionOf: async (request: IncomingMessage): Promise<'foreign-origin' | undefined> => {
      const address = clientAddressOf(request, isTrusted)
      if (isForeignOrigin(request, publicOrigin)) {
        const [code, userAgent] = ['foreign-origin' as const, request.headers['user-agent']]
        const route = socketRoute
        securityLog?.record({ event: 'socket-refused', result: 'refused', code, address, userAgent, route })
        return code
      }
      const session = await sessionOf(request)
      const owner: ConnectionOwner = session
        ? { kind: 'user', id: session.userId }
        : { kind: 'address', id: addressGroup(address) }
      owners.set(request, owner)
      return undefined
    },
    /** Call once per connection. */
    ownerOf: (request: IncomingMessage): ConnectionOwner => {
      const owner = owners.get(request) ?? { kind: 'address', id: 'unknown' }
      owners.delete(request)
      return owner
    },
    addressOf: (request: IncomingMessage): string => clientAddressOf(request, isTrusted),
  }
}

/** A session token has a few hundred bytes. */
const authSchema = z.object({ token: z.string().min(1).max(4_096) })

type HandshakeDeps = {
  readonly sessions: SessionVerifier
  readonly connections: Connections
  readonly limits: Pick<SocketLimits, 'maxSocketsPerUser'>
  readonly publicOrigin: string | undefined
  now(): Date
  readonly securityLog: SecurityLog | undefined
  addressOf(socket: PortalSocket): string
  readonly logger: Logger
}

/**
 * Authenticates a socket by `auth: {token}` or by the session cookie. Browsers send the cookie from any site, and
 * CORS does not apply to WebSockets. So the cookie requires the portal's own Origin.
 */
export const createHandshake = (deps: HandshakeDeps) => {
  const { sessions, connections, limits, publicOrigin, now, securityLog, addressOf, logger } = deps

  const record = (socket: PortalSocket, code: SocketRejection): void => {
    const [address, userAgent] = [addressOf(socket), socket.request.headers['user-agent']]
    securityLog?.record({ event: 'socket-refused', result: 'refused', code, address, userAgent, route: socketRoute })
  }
  const tokenOf = (socket: PortalSocket): string | undefined => {
    const auth = authSchema.safeParse(socket.handshake.auth)
    return auth.success ? auth.data.token : tokenOfRequest(socket.request, publicOrigin)
  }

  const rejectionOf = (session: Session | undefined): SocketRejection | undefined => {
    if (!session) return 'unauthenticated'
    const user = connections.ofUser(session.userId)
    if (user && socketsOf(user).length >= limits.maxSocketsPerUser) return 'too-many-connections'
    return undefined
  }

  /** A well-behaved client opens a new connection after a rejection. */
  const refused = new WeakSet<PortalSocket['conn']>()

  const admit = async (socket: PortalSocket): Promise<SocketRejection | undefined> => {
    const token = tokenOf(socket)
    const session = token === undefined ? undefined : await sessions.verify(token, 'look')
    const rejection = rejectionOf(session)
    if (rejection || !session || token === undefined) return rejection
    const features = declaredFeatures(socket.handshake.auth)
    // Keep only one copy of the token.
    socket.handshake.auth = {}
    socket.data = {
      session,
      token,
      checkedAtMs: now().getTime(),
      visible: true,
      features,
      seen: undefined,
      windowStartMs: 0,
      windowCost: 0,
      malformedPackets: 0,
      isClosed: false,
    }
    return undefined
  }

  const admitOrReject = async (socket: PortalSocket): Promise<SocketRejection | undefined> => {
    try {
      const rejection = await admit(socket)
      if (!rejection) return undefined
      refused.add(socket.conn)
      record(socket, rejection)
      return rejection
    } catch (error) {
      logger.error({ err: error }, 'session check failed, socket rejected')
      return 'unavailable'
    }
  }

  return (socket: PortalSocket, next: (error?: Error) => void): void => {
    if (refused.has(socket.conn)) return closeNow(socket.conn)
    void admitOrReject(socket).then((rejection) => next(rejection && new Error(rejection)))
  }
}
