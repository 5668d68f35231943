import { randomBytes } from 'node:crypto'
import type { Server as HttpServer } from 'node:http'
import { createRunningState } from '@portal/platform/async/running-state'
import type { Bus, Subscription } from '@portal/platform/bus/port'
import type { HostRule } from '@portal/platform/http/allowed-hosts'
import { apiSecurityHeadersFor } from '@portal/platform/http/security-headers'
import type { IsTrustedProxy } from '@portal/platform/http/client-address'
import type { Tracing } from '@portal/platform/observability/tracing/tracing'
import type { SecurityLog } from '@portal/platform/security-log/security-log'
import type { SessionVerifier } from '@portal/platform/session/session'
import type { Logger } from 'pino'
import { type DisconnectReason, type Namespace, Server, type ServerOptions } from 'socket.io'
import { createStuckClients, trackUpgraded } from './backpressure.ts'
import { consumeBus, createFeeds } from './feeds.ts'
import { adminsRoom } from './campaign-feed.ts'
import type { Connections, PortalServer, PortalSocket } from './connections.ts'
import { createHandshake, createHandshakeRequests, protectRequests, socketRoute } from './handshake.ts'
import type { SocketLimits } from './limits.ts'
import { createClientMessageListener } from './client-messages.ts'
import type { CampaignProgressReader, InboxReader, SeenSink } from './ports.ts'
import type { Progress } from './progress.ts'
import type { SeenCounter } from './seen-counter.ts'
import { createSessionGuard } from './sessions.ts'
import { closeNow, createUnidentified, type EngineConnection } from './unidentified.ts'

const sweepMs = 1_000
/** Time for clients to acknowledge the close at shutdown. */
const closeGraceMs = 1_000

export type SocketDeps = {
  /** The HTTP server. Sockets share its port. */
  readonly server: HttpServer
  readonly bus: Bus
  readonly sessions: SessionVerifier
  readonly connections: Connections
  readonly seenCounter: SeenCounter
  readonly inbox: InboxReader
  readonly progress: Progress
  readonly campaigns: CampaignProgressReader
  readonly seen: SeenSink
  readonly limits: SocketLimits
  readonly publicOrigin: string | undefined
  /** Connects several gateways. */
  readonly adapter?: ServerOptions['adapter']
  /** The gateway's name. It is part of connection ids, so that a load balancer can route by it. */
  readonly gateway?: string | undefined
  /** Allowed Host names; all if absent. */
  readonly hosts?: HostRule | undefined
  /** Trusted senders of X-Forwarded-For; none if absent. */
  readonly isTrusted?: IsTrustedProxy
  readonly securityLog?: SecurityLog
  now(): Date
  readonly logger: Logger
  readonly tracing?: Tracing
}

type SocketStats = {
  readonly sockets: number
  readonly users: number
  readonly malformed: number
  readonly floods: number
  readonly stuck: number
  /** Number of unauthenticated connections. */
  readonly unidentified: number
}

export type Sockets = {
  /**
   * Starts consuming the bus. Call it before the HTTP server listens. If the inbox projection is behind, clients
   * are updated until it passes this point.
   */
  start(): Promise<void>
  /** Closes all connections so that clients reconnect by themselves; accepts no new ones. */
  stop(): Promise<void>
  stats(): SocketStats
  /** Namespace for messages between processes. */
  readonly namespace: Namespace
}

/** Makes ids that are as hard to guess as Engine.IO's own. */
const connectionIdsOf = (gateway: string) => (): string => `${gateway}.${randomBytes(15).toString('base64url')}`

/** Live updates to browsers: tracks connections, what each has received, and their messages. */
export const createSockets = (deps: SocketDeps): Sockets => {
  const { connections, seenCounter, limits, logger } = deps
  const state = createRunningState()
  const upgraded = trackUpgraded(deps.server)
  const { isTrusted = () => false, securityLog } = deps
  const unidentified = createUnidentified({ limits, nowMs: () => performance.now() })
  const requests = createHandshakeRequests({ ...deps, isTrusted, securityLog })

  const recordClosing = (socket: PortalSocket, code: string): void => {
    const { request, data } = socket
    const { userId, role, sessionId } = data.session
    const userAgent = request.headers['user-agent']
    const caller = { address: requests.addressOf(request), userAgent, route: socketRoute, userId, role, sessionId }
    securityLog?.record({ event: 'socket-closed', result: 'refused', code, ...caller })
  }

  const io: PortalServer = new Server(deps.server, {
    serveClient: false,
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: limits.packetBytes,
    // The sweep closes unauthenticated connections earlier; see unidentified.ts.
    connectTimeout: 2 * limits.identifyWithinMs,
    ...(deps.adapter && { adapter: deps.adapter }),
    // A full or stopping server is temporary; after this rejection clients retry by themselves.
    allowRequest: (request, decide) => {
      const isFull = connections.sockets >= limits.maxConnections
      if (state.isStopped() || isFull) return decide(state.isStopped() ? 'stopping' : 'full', false)
      void requests.rejectionOf(request).then((rejection) => decide(rejection ?? null, rejection === undefined))
    },
  })
  io.engine.use(protectRequests({ hosts: deps.hosts, headers: apiSecurityHeadersFor(deps.publicOrigin) }))
  io.engine.on('connection', (connection: EngineConnection) => {
    unidentified.add(connection, requests.ownerOf(connection.request))
  })

  if (deps.gateway !== undefined) io.engine.generateId = connectionIdsOf(deps.gateway)

  const stuckClients = createStuckClients(limits, logger)
  const sessionGuard = createSessionGuard(deps)
  const feeds = createFeeds({ ...deps, io, dropStuck: stuckClients.dropStuck })
  const packets = createClientMessageListener({
    ...deps,
    dropIfStuck: stuckClients.dropIfStuck,
    onFlood: recordClosing,
    nowMs: () => performance.now(),
  })

  function onDisconnect(this: PortalSocket, reason: DisconnectReason): void {
    seenCounter.socketGone(this, connections.remove(this.data.session.userId, this))
    // A connection without a namespace would count towards no limit.
    if (reason === 'client namespace disconnect') closeNow(this.conn)
  }

  io.use(createHandshake({ ...deps, securityLog, addressOf: (socket) => requests.addressOf(socket.request) }))
  io.on('connection', (socket) => {
    unidentified.identified(socket.conn)
    if (sessionGuard.refuse(socket)) return
    socket.onAny(packets.onPacket)
    socket.on('disconnect', onDisconnect)
    feeds.inboxFeed.onConnect(connections.add(socket.data.session.userId, socket))
    if (socket.data.session.role === 'admin') {
      void socket.join(adminsRoom)
      feeds.campaignFeed.onConnect()
    }
  })

  const sweep = (): void => {
    sessionGuard.sweep()
    const closed = unidentified.sweep()
    if (closed > 0) {
      logger.warn({ closed }, 'unauthenticated connections closed')
      const code = 'unidentified'
      securityLog?.record({
        event: 'socket-closed',
        result: 'refused',
        code,
        target: String(closed),
        route: socketRoute,
      })
    }
    for (const user of connections.all()) stuckClients.dropStuck(user)
  }
  const sweeper = setInterval(sweep, sweepMs).unref()
  let subscription: Subscription | undefined

  return {
    start: async () => {
      subscription = await consumeBus({ ...deps, feeds, sessionGuard })
    },
    stop: async () => {
      state.stop()
      clearInterval(sweeper)
      await subscription?.stop()
      await feeds.stop()
      // Not disconnectSockets(): clients treat that as final and do not reconnect.
      io.engine.close()
      await upgraded.closeWithin(closeGraceMs)
    },
    namespace: io.of('/'),
    stats: () => ({
      sockets: connections.sockets,
      users: connections.users,
      ...packets.counts,
      stuck: stuckClients.count,
      unidentified: unidentified.count,
    }),
  }
}
