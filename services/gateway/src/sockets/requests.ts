import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HostRule } from '@portal/platform/http/allowed-hosts'
import { addressGroup, callerAddressOf, type IsTrustedProxy } from '@portal/platform/http/client-address'
import { isForeignOrigin, isWelcomeWrite } from '@portal/platform/http/request-origin'
import { httpStatusOf, apiErrors } from '@portal/platform/http/problem'
import type { SecurityHeaders } from '@portal/platform/http/security-headers'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import { credentialsOf, type Session, type SessionVerifier } from '@portal/platform/session/session'
import type { Logger } from 'pino'
import type { Opener } from './unidentified.ts'

/** Where sockets are asked for, as the security log names it. */
export const socketRoute = '/socket.io/'

type ProtectDeps = { readonly hosts: HostRule | undefined; readonly headers: SecurityHeaders }

/** For each request and upgrade, also of open connections: the Host that is answered, and the headers of an answer. */
export const protectRequests =
  ({ hosts, headers }: ProtectDeps) =>
  (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (!hosts || hosts(request)) return next()
    const { code, message } = apiErrors.foreignHost
    response.writeHead(httpStatusOf(code), { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    response.end(JSON.stringify({ success: false, code, message }))
  }

type HandshakeRequestDeps = {
  readonly sessions: SessionVerifier
  readonly publicOrigin: string | undefined
  readonly isTrusted: IsTrustedProxy
  readonly securityLog: SecurityLog | undefined
  readonly logger: Logger
}

/**
 * Looks at the request that opens a connection. A page of another site is refused, whatever it shows: no cross-origin rule of browsers
 * stops a web socket. The session that the request carries, if any, only decides whose bounds it counts towards.
 */
export const createHandshakeRequests = (deps: HandshakeRequestDeps) => {
  const { sessions, publicOrigin, isTrusted, securityLog, logger } = deps
  const openers = new WeakMap<IncomingMessage, Opener>()

  const sessionOf = async ({ headers }: IncomingMessage): Promise<Session | undefined> => {
    const credentials = credentialsOf({ headers })
    if (!credentials || !isWelcomeWrite({ headers }, credentials.by, publicOrigin)) return undefined
    try {
      return await sessions.verify(credentials.token)
    } catch (error) {
      logger.warn({ err: error }, 'session check failed, connection counted as anonymous')
      return undefined
    }
  }

  return {
    /** Undefined where the request is welcome, else why it is not. */
    refusalOf: async (request: IncomingMessage): Promise<'foreign-origin' | undefined> => {
      const address = callerAddressOf(request, isTrusted)
      if (isForeignOrigin(request, publicOrigin)) {
        const code = 'foreign-origin'
        const userAgent = request.headers['user-agent']
        securityLog?.record({
          event: 'socket-refused',
          result: 'refused',
          code,
          address,
          userAgent,
          route: socketRoute,
        })
        return code
      }
      const session = await sessionOf(request)
      const opener: Opener = session
        ? { kind: 'user', id: session.userId }
        : { kind: 'address', id: addressGroup(address) }
      openers.set(request, opener)
      return undefined
    },
    /** Asked once for each connection. */
    openerOf: (request: IncomingMessage): Opener => {
      const opener = openers.get(request) ?? { kind: 'address', id: 'unknown' }
      openers.delete(request)
      return opener
    },
    addressOf: (request: IncomingMessage): string => callerAddressOf(request, isTrusted),
  }
}
