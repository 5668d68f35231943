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
import { forwardedHeaders, withoutHop } from './forwarded.ts'

/** One of several gateways behind the one address. */
export type Gateway = { readonly name: string; readonly port: number }

const isAboutSocket = (url: string): boolean => url.startsWith('/socket.io/')

/** How a gateway marks the connections it opens: socket-server.ts of the gateway. */
const connectionIdOf = (url: string): string | undefined =>
  isAboutSocket(url) ? (new URLSearchParams(url.slice(url.indexOf('?') + 1)).get('sid') ?? undefined) : undefined

/**
 * Who gets a request, in the order in which they are to be tried. A socket's requests go to the gateway that opened it, which
 * its id names: another one would not know it. Everything else goes round; sockets by themselves, or pages that open one
 * along with an odd number of calls would all open it at the same gateway.
 */
const createGatewayChoice = (gateways: readonly Gateway[]) => {
  const turns = { sockets: 0, calls: 0 }
  return (url: string): readonly Gateway[] => {
    const id = connectionIdOf(url)
    const owner = id === undefined ? undefined : gateways.find(({ name }) => id.startsWith(`${name}.`))
    if (owner) return [owner]
    const kind = isAboutSocket(url) ? 'sockets' : 'calls'
    turns[kind] = (turns[kind] + 1) % gateways.length
    return [...gateways.slice(turns[kind]), ...gateways.slice(0, turns[kind])]
  }
}

const host = '127.0.0.1'
const connectTimeoutMs = 2_000
const keepAliveMs = 72_000
/** What is under way at the end gets so long. */
const finishMs = 3_000

type BalancerOptions = {
  readonly gateways: readonly Gateway[]
  /** Whether X-Forwarded-For of who connects counts. */
  readonly trustsProxies: boolean
  readonly liveness?: LivenessTimes
}

export type Balancer = {
  /** Answers the port. */
  listen(at: { readonly host: string; readonly port: number }): Promise<number>
  close(): Promise<void>
}

const unavailableStatus = httpStatusOf(apiErrors.unavailable.code)

/** The request as it came, with whom it is from. */
const headOf = (incoming: IncomingMessage, trustsProxies: boolean): string => {
  const headers = forwardedHeaders(incoming, trustsProxies)
  const lines = headers.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${headers[at + 1] ?? ''}`] : []))
  return `${incoming.method ?? 'GET'} ${incoming.url ?? '/'} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
}

/** Which gateways can have a request, and what waits for each. */
const createGatewayPool = ({ gateways, liveness: times }: Pick<BalancerOptions, 'gateways' | 'liveness'>) => {
  const choose = createGatewayChoice(gateways)
  /** Is ended when its gateway freezes. */
  const waiting = new Map<string, Set<ClientRequest | Duplex>>(gateways.map(({ name }) => [name, new Set()]))
  const liveness = watchLiveness(
    gateways.map(({ name, port }) => ({ name, address: `http://${host}:${port}` })),
    {
      ...times,
      onUnresponsive: (name) => {
        for (const one of waiting.get(name) ?? []) one.destroy(new Error(`${name} has frozen`))
      },
    },
  )
  return {
    gatewaysFor: ({ url = '/' }: IncomingMessage): readonly Gateway[] =>
      choose(url).filter(({ name }) => !liveness.isUnresponsive(name)),
    isFrozen: ({ name }: Gateway): boolean => liveness.isUnresponsive(name),
    waitFor: ({ name }: Gateway, one: ClientRequest | Duplex): void => {
      waiting.get(name)?.add(one)
      one.once('close', () => waiting.get(name)?.delete(one))
    },
    stop: (): void => liveness.stop(),
  }
}
type GatewayPool = ReturnType<typeof createGatewayPool>

const refuse = (response: ServerResponse, refusal: ApiError): void => {
  if (response.destroyed) return
  if (response.headersSent) return void response.destroy()
  response.writeHead(httpStatusOf(refusal.code), {
    ...apiSecurityHeaders,
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(JSON.stringify({ success: false, ...refusal }))
}

const createForwarder = ({ waitFor, isFrozen }: GatewayPool, trustsProxies: boolean) => {
  const agent = new Agent({ keepAlive: true, keepAliveMsecs: keepAliveMs, maxFreeSockets: 64 })

  /** Nothing of the request has gone anywhere before the connection stands, so until then another gateway can have it. */
  const forward = (
    incoming: IncomingMessage,
    response: ServerResponse,
    [gateway, ...others]: readonly Gateway[],
  ): void => {
    if (!gateway) return refuse(response, apiErrors.unavailable)
    const outgoing = startRequest({
      agent,
      host,
      port: gateway.port,
      method: incoming.method ?? 'GET',
      path: incoming.url ?? '/',
      headers: withoutHop(forwardedHeaders(incoming, trustsProxies)),
    })
    let isSent = false
    const send = (): void => {
      isSent = true
      incoming.pipe(outgoing)
    }
    waitFor(gateway, outgoing)
    const mayRepeat = (): boolean =>
      !isSent || (incoming.method === 'GET' && (outgoing.reusedSocket || isFrozen(gateway)))
    outgoing.once('socket', (socket: Socket) => (socket.connecting ? socket.once('connect', send) : send()))
    outgoing.once('response', (answer) => {
      response.writeHead(answer.statusCode ?? unavailableStatus, withoutHop(answer.rawHeaders))
      answer.pipe(response)
      answer.once('error', () => response.destroy())
    })
    outgoing.on('error', () => {
      if (response.destroyed) return
      if (response.headersSent || !mayRepeat()) return refuse(response, apiErrorAfterSending(incoming))
      // A kept connection may have been closed by a gateway that is there all the same.
      forward(incoming, response, isSent && !isFrozen(gateway) ? [gateway, ...others] : others)
    })
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
    })
  }
  return { forward, close: (): void => agent.destroy() }
}

/** Connects sockets with their gateways. */
const createTunnels = ({ waitFor }: GatewayPool, trustsProxies: boolean) => {
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
    waitFor(gateway, server)
    server.setTimeout(connectTimeoutMs, () => server.destroy())
    let isConnected = false
    server.once('connect', () => {
      isConnected = true
      server.setTimeout(0)
      server.write(headOf(incoming, trustsProxies))
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
 * One address for several gateways of this machine. A gateway that refuses connections is passed over at once, one that has frozen
 * as soon as it has left its health unanswered.
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
      const timer = setTimeout(() => server.closeAllConnections(), finishMs)
      await closed
      clearTimeout(timer)
      forwarder.close()
    },
  }
}
