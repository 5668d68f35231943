import { fileURLToPath } from 'node:url'
import { trustedProxies } from '@portal/platform/http/client-address'
import { watchSockets } from '@portal/platform/observability/metrics/watch'
import type { Edge, ServiceHost } from '@portal/platform/runtime/service'
import type { FastifyInstance } from 'fastify'
import type { DevMailbox } from './dev-mailbox.ts'
import { setUpEdge } from './edge.ts'
import { pageOrCall } from './pages.ts'
import { httpsRequirementOf } from './require-https.ts'
import { defaultSocketLimits } from './sockets/limits.ts'
import { createSockets, type SocketDeps, type Sockets } from './sockets/socket-server.ts'

const webDir = fileURLToPath(new URL('../../../web/dist', import.meta.url))

type GatewayHost = Pick<
  ServiceHost,
  'config' | 'clockAndIds' | 'logger' | 'securityLog' | 'observability' | 'bus' | 'sessions'
>

type GatewayLinks = Pick<
  SocketDeps,
  'connections' | 'seenCounter' | 'inbox' | 'progress' | 'campaigns' | 'seen' | 'adapter' | 'gateway'
> & {
  readonly mailbox?: DevMailbox | undefined
  /** Binds the routes that other processes serve. */
  proxyCalls?(app: FastifyInstance): Promise<void>
  /** Connects the sockets to other processes. Returns a function that disconnects them. */
  joinPeers?(sockets: Sockets): () => Promise<void>
}

/** Serves pages and sockets. The links are in-process services or clients of other processes. */
export const buildGateway = (host: GatewayHost, links: GatewayLinks): Edge => {
  const { config, clockAndIds, securityLog, observability } = host
  const { mailbox, proxyCalls, joinPeers, ...socketLinks } = links
  const { publicOrigin, trustProxy, port } = config.http
  return {
    rewriteUrl: pageOrCall(webDir),
    setUp: async (app, { health, hosts }) => {
      await setUpEdge(app, {
        webDir,
        health,
        registersForPush: config.pushClient !== undefined,
        https: httpsRequirementOf(config.http),
        docs: config.docs,
        address: publicOrigin ?? `http://localhost:${port}`,
        mailbox,
      })
      await proxyCalls?.(app)
      const sockets = createSockets({
        ...socketLinks,
        server: app.server,
        bus: host.bus,
        sessions: host.sessions,
        limits: defaultSocketLimits,
        publicOrigin,
        hosts,
        isTrusted: trustedProxies(trustProxy),
        securityLog,
        now: clockAndIds.now,
        logger: host.logger,
        tracing: observability.tracing,
      })
      const leavePeers = joinPeers?.(sockets)
      // Before the app drains requests: this completes the ones that wait for open tabs.
      app.addHook('preClose', async () => {
        await sockets.stop()
        await leavePeers?.()
      })
      watchSockets(observability.metrics, sockets.stats)
      return { start: sockets.start }
    },
  }
}
