import { isWelcomeWrite } from '@portal/platform/http/request-origin'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import { credentialsOf } from '@portal/platform/session/session'
import type { Session, SessionVerifier } from '@portal/platform/session/session'
import type { Logger } from 'pino'
import { z } from 'zod'
import { socketRoute } from './requests.ts'
import { type Connections, type PortalSocket, socketsOf } from './connections.ts'
import type { SocketLimits } from './limits.ts'
import { closeNow } from './unidentified.ts'

/** Why a connection was refused: the `message` of the client's `connect_error`. */
export type HandshakeRefusal = 'unauthenticated' | 'too-many-connections' | 'unavailable'

/** A session's token is a few hundred bytes. */
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
 * Who is at the other end: by `auth: {token}`, or by the session cookie. The browser sends the cookie along whichever site
 * opens the socket, and no cross-origin rule stops a WebSocket, so with the cookie the Origin must be the portal's own.
 */
export const createHandshake = (deps: HandshakeDeps) => {
  const { sessions, connections, limits, publicOrigin, now, securityLog, addressOf, logger } = deps

  const record = (socket: PortalSocket, code: HandshakeRefusal): void => {
    const [address, userAgent] = [addressOf(socket), socket.request.headers['user-agent']]
    securityLog?.record({ event: 'socket-refused', result: 'refused', code, address, userAgent, route: socketRoute })
  }
  const tokenOf = (socket: PortalSocket): string | undefined => {
    const auth = authSchema.safeParse(socket.handshake.auth)
    if (auth.success) return auth.data.token
    const { headers } = socket.request
    const credentials = credentialsOf({ headers })
    if (!credentials || !isWelcomeWrite({ headers }, credentials.by, publicOrigin)) return undefined
    return credentials.token
  }

  const refusalOf = (session: Session | undefined): HandshakeRefusal | undefined => {
    if (!session) return 'unauthenticated'
    const channel = connections.channelOf(session.userId)
    if (channel && socketsOf(channel).length >= limits.maxSocketsPerUser) return 'too-many-connections'
    return undefined
  }

  /** A client that means well opens a new connection after a refusal. */
  const refused = new WeakSet<PortalSocket['conn']>()

  const admit = async (socket: PortalSocket): Promise<HandshakeRefusal | undefined> => {
    const token = tokenOf(socket)
    const session = token === undefined ? undefined : await sessions.verify(token)
    const refusal = refusalOf(session)
    if (refusal || !session || token === undefined) return refusal
    // Kept once only.
    socket.handshake.auth = {}
    socket.data = {
      session,
      token,
      checkedAtMs: now().getTime(),
      visible: true,
      seen: undefined,
      windowStartMs: 0,
      windowCost: 0,
      malformedPackets: 0,
      isClosed: false,
    }
    return undefined
  }

  const admitOrRefuse = async (socket: PortalSocket): Promise<HandshakeRefusal | undefined> => {
    try {
      const refusal = await admit(socket)
      if (!refusal) return undefined
      refused.add(socket.conn)
      record(socket, refusal)
      return refusal
    } catch (error) {
      logger.error({ err: error }, 'A session could not be checked for a socket')
      return 'unavailable'
    }
  }

  return (socket: PortalSocket, next: (error?: Error) => void): void => {
    if (refused.has(socket.conn)) return closeNow(socket.conn)
    void admitOrRefuse(socket).then((refusal) => next(refusal && new Error(refusal)))
  }
}
