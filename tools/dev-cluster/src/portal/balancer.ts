import { once } from 'node:events'
import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request as startRequest,
  type ServerResponse,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ApiError } from '@portal/platform/http/handler'
import { apiErrors, httpStatusOf, apiErrorAfterSending } from '@portal/platform/http/problem'
import { apiSecurityHeaders } from '@portal/platform/http/security-headers'
import { type LivenessTimes, watchLiveness } from '@portal/platform/http/upstream'
import { forwardedHeaders, withoutConnectionHeaders } from './forwarded.ts'

/** One of the gateways behind the balancer. */
export type Gateway = { readonly name: string; readonly port: number }

const isSocketRequest = (url: string): boolean => url.startsWith('/socket.io/')

/** The id that a gateway gives to a connection; see socket-server.ts of the gateway. */
const connectionIdOf = (url: string): string | undefined =>
  isSocketRequest(url) ? (new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('sid') ?? undefined) : undefined

/**
 * Returns the gateways to try for a request, in order. A socket's requests go to the gateway that opened it, whose name is in the
 * connection id. Other requests use round robin. Sockets have their own counter. With a shared one, pages that make an odd number of
 * calls before each socket would open all sockets at one gateway.
 */
const createGatewaySelector = (gateways: readonly Gateway[]) => {
  const nextIndex = { sockets: 0, calls: 0 }
  return (url: string): readonly Gateway[] => {
    const id = connectionIdOf(url)
    const owner = id === undefined ? undefined : gateways.find(({ name }) => id.startsWith(`${name}.`))
    if (owner) return [owner]
    const kind = isSocketRequest(url) ? 'sockets' : 'calls'
    nextIndex[kind] = (nextIndex[kind] + 1) % gateways.length
    return [...gateways.slice(nextIndex[kind]), ...gateways.slice(0, nextIndex[kind])]
  }
}

const host = '127.0.0.1'
const connectTimeoutMs = 2_000
const keepAliveMs = 72_000
/** How long requests may take to finish after the balancer stops. */
const drainTimeoutMs = 3_000

type BalancerOptions = {
  readonly gateways: readonly Gateway[]
  /** Whether to trust X-Forwarded-For of clients. */
  readonly trustsProxies: boolean
  readonly liveness?: LivenessTimes
}

export type Balancer = {
  /** Returns the port. */
  listen(at: { readonly host: string; readonly port: number }): Promise<number>
  close(): Promise<void>
}

const unavailableStatus = httpStatusOf(apiErrors.unavailable.code)

/** The head of the request, with forwarding headers. */
const requestHeadOf = (incoming: IncomingMessage, trustsProxies: boolean): string => {
  const headers = forwardedHeaders(incoming, trustsProxies)
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1] ?? ''}`] : []))
  return `${incoming.method ?? 'GET'} ${incoming.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Tracks which gateways respond, and the requests in progress at each. */
const createGatewayPool = ({ gateways, liveness: times }: Pick<BalancerOptions, 'gateways' | 'liveness'>) => {
  const choose = createGatewaySelector(gateways)
  /** Destroyed when their gateway freezes. */
  const pending = new Map<string, Set<ClientRequest | Duplex>>(gateways.map(({ name }) => [name, new Set()]))
  const liveness = watchLiveness(
    gateways.map(({ name, port }) => ({ name, address: `http://${host}:${port}` })),
    {
      ...times,
      onUnresponsive: (name) => {
        for (const one of pending.get(name) ?? []) one.destroy(new Error(`${name} does not respond`))
      },
    },
  )
  return {
    gatewaysFor: ({ url = '/' }: IncomingMessage): readonly Gateway[] =>
      choose(url).filter(({ name }) => !liveness.isUnresponsive(name)),
    isFrozen: ({ name }: Gateway): boolean => liveness.isUnresponsive(name),
    track: ({ name }: Gateway, one: ClientRequest | Duplex): void => {
      pending.get(name)?.add(one)
      one.once('close', () => pending.get(name)?.delete(one))
    },
    stop: (): void => liveness.stop(),
  }
}
type GatewayPool = ReturnType<typeof createGatewayPool>

const sendError = (response: ServerResponse, error: ApiError): void => {
  if (response.destroyed) return
  if (response.headersSent) return void response.destroy()
  response.writeHead(httpStatusOf(error.code), {
    ...apiSecurityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify({ success: false, ...error }))
}

const createForwarder = ({ track, isFrozen }: GatewayPool, trustsProxies: boolean) => {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: keepAliveMs, maxFreeSockets: 64 })

  /** Sends the request once the connection is established. Until then, another gateway can take it. */
  const forward = (
    incoming: IncomingMessage,
    response: ServerResponse,
    [gateway, ...others]: readonly Gateway[],
  ): void => {
    if (!gateway) return sendError(response, apiErrors.unavailable)
    const outgoing = startRequest({
      agent,
      host,
      port: gateway.port,
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: withoutConnectionHeaders(forwardedHeaders(incoming, trustsProxies)),
    })
    let isSent = false
    const send = (): void => {
      isSent = true
      incoming.pipe(outgoing)
    }
    track(gateway, outgoing)
    const mayRepeat = (): boolean =>
      !isSent || (incoming.method === 'GET' && (outgoing.reusedSocket || isFrozen(gateway)))
    outgoing.once('socket', (socket: Socket) => (socket.connecting ? socket.once('connect', send) : send()))
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? unavailableStatus, withoutConnectionHeaders(answer.rawHeaders))
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
    outgoing.on('error', () => {
      if (response.destroyed) return
      if (response.headersSent || !mayRepeat()) return sendError(response, apiErrorAfterSending(incoming))
      // An idle connection may have been closed by a gateway that is still running.
      forward(incoming, response, isSent && !isFrozen(gateway) ? [gateway, ...others] : others)
    })
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
    })
  }
  return { forward, close: (): void => agent.destroy() }
}

/** Connects web sockets to their gateways. */
const createTunnels = ({ track }: GatewayPool, trustsProxies: boolean) => {
  const clients = new Set<Duplex>()

  const tunnel = (
    incoming: IncomingMessage,
    client: Duplex,
    head: Buffer,
    [gateway, ...others]: readonly Gateway[],
  ): void => {
    if (!gateway) {
      client.end(`HTTP/1.1 ${unavailableStatus} Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    const server = connect({ host, port: gateway.port, noDelay: true })
    track(gateway, server)
    server.setTimeout(connectTimeoutMs, () => server.destroy())
    let isConnected = false
    server.once('connect', () => {
      isConnected = true
      server.setTimeout(0)
      server.write(requestHeadOf(incoming, trustsProxies))
      server.write(head)
      server.pipe(client).pipe(server)
    })
    const end = (): void => {
      clients.delete(client)
      client.destroy()
      server.destroy()
    }
    server.on('error', () => undefined)
    server.once('close', () => (isConnected || client.destroyed ? end() : tunnel(incoming, client, head, others)))
    client.once('close', () => server.destroy())
  }

  return {
    open: (incoming: IncomingMessage, client: Duplex, head: Buffer, gateways: readonly Gateway[]): void => {
      clients.add(client)
      client.on('error', () => undefined)
      client.once('close', () => clients.delete(client))
      tunnel(incoming, client, head, gateways)
    },
    close: (): void => {
      for (const client of clients) client.destroy()
    },
  }
}

/**
 * Balances one address over several gateways of this machine. Skips a gateway that refuses connections at once, and a frozen one
 * as soon as its health check times out.
 */
export const createBalancer = ({ trustsProxies, ...options }: BalancerOptions): Balancer => {
  const pool = createGatewayPool(options)
  const forwarder = createForwarder(pool, trustsProxies)
  const tunnels = createTunnels(pool, trustsProxies)
  const server = createServer((incoming, response) => forwarder.forward(incoming, response, pool.gatewaysFor(incoming)))
  server.keepAliveTimeout = keepAliveMs
  server.on('upgrade', (incoming: IncomingMessage, client: Duplex, head: Buffer) =>
    tunnels.open(incoming, client, head, pool.gatewaysFor(incoming)),
  )

  return {
    listen: async ({ host: at, port }) => {
      server.listen(port, at)
      await once(server, 'listening')
      const address = server.address()
      if (address === null || typeof address === 'string') throw new Error('The balancer listens without a port')
      return address.port
    },
    close: async () => {
      pool.stop()
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      tunnels.close()
      const timer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs)
      await closed
      clearTimeout(timer)
      forwarder.close()
    },
  }
}
