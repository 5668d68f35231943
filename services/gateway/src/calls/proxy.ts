import replyFrom from '@fastify/reply-from'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { defaultBodyLimitBytes } from '@portal/platform/http/bind-route'
import { apiErrors, apiErrorAfterSending, sendApiError } from '@portal/platform/http/problem'
import { type LivenessTimes, watchLiveness } from '@portal/platform/http/upstream'
import type { HealthPart } from '@portal/platform/observability/health'
import { signingKeysPath } from '@portal/platform/session/signing-keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerHeaders, requestHeaders } from './forwarded-headers.ts'
import { routeTable, type ServiceName } from '@portal/contracts/route-table'

/** Kept-alive connections per service. Further requests wait for a free one. */
const connections = 64
const connectTimeoutMs = 2_000
/** The slowest write is a campaign to all users. A shorter limit detects a frozen service sooner. */
const writeTimeoutMs = 30_000
const readTimeoutMs = 5_000
/** Reads retry once if the service has just closed the connection. */
const retryPauseMs = 20

export type ServiceAddresses = Readonly<Record<ServiceName, string>>

/**
 * Forwards each call to the service that owns its contract. The gateway inspects nothing: the service checks
 * session, role, origin and body. Call this after `setUpEdge`, so that /docs covers the routes.
 */
export const proxyCalls = async (
  app: FastifyInstance,
  addresses: ServiceAddresses,
  times: LivenessTimes = {},
): Promise<void> => {
  const services: readonly ServiceName[] = ['auth', 'catalog', 'notifications']
  const waiting = watchWaiting(app, addresses, times)
  for (const service of services) {
    await app.register(async (calls) => {
      forwardRawBodies(calls)
      await calls.register(replyFrom, {
        base: addresses[service],
        disableRequestLogging: true,
        destroyAgent: true,
        undici: {
          connections,
          pipelining: 1,
          headersTimeout: writeTimeoutMs,
          bodyTimeout: writeTimeoutMs,
          connect: { timeout: connectTimeoutMs },
        },
      })
      const forward = forwardTo(service, waiting)
      for (const route of routeTable[service]) proxyRoute(calls, route, forward)
      if (service === 'auth') calls.get(signingKeysPath, forward)
    })
  }
}

/** Forwards bodies unparsed, up to the route's limit. */
const forwardRawBodies = (calls: FastifyInstance): void => {
  calls.removeAllContentTypeParsers()
  calls.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

type Forward = (request: FastifyRequest, reply: FastifyReply) => FastifyReply

const proxyRoute = (calls: FastifyInstance, route: AnyRoute, forward: Forward): void => {
  calls.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodyLimitBytes ?? defaultBodyLimitBytes,
    config: { contract: route },
    handler: forward,
  })
}

/** Requests that wait for a service's response. */
type Waiting = {
  isFrozen(service: ServiceName): boolean
  begin(service: ServiceName, giveUp: () => void): void
  end(service: ServiceName, giveUp: () => void): void
}

/**
 * Aborts requests to a frozen service. Its connections stay open, so the requests would wait for the full timeout.
 */
const watchWaiting = (app: FastifyInstance, addresses: ServiceAddresses, times: LivenessTimes): Waiting => {
  const waiting: Readonly<Record<string, Set<() => void>>> = Object.fromEntries(
    Object.keys(addresses).map((service) => [service, new Set<() => void>()]),
  )
  const watched = Object.entries(addresses).map(([name, address]) => ({ name, address }))
  const liveness = watchLiveness(watched, {
    ...times,
    onUnresponsive: (service) => {
      for (const giveUp of waiting[service] ?? []) giveUp()
    },
  })
  app.addHook('onClose', async () => liveness.stop())
  return {
    isFrozen: liveness.isUnresponsive,
    begin: (service, giveUp) => waiting[service]?.add(giveUp),
    end: (service, giveUp) => waiting[service]?.delete(giveUp),
  }
}

/** Errors raised before the request reached the service. */
const neverSent: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
])

const wasSent = ({ cause }: Error): boolean => !(cause instanceof Error && 'code' in cause && neverSent.has(cause.code))

const forwardTo =
  (service: ServiceName, waiting: Waiting): Forward =>
  (request, reply) => {
    if (waiting.isFrozen(service)) return sendApiError(request, reply, apiErrors.unavailable)
    const giveUp = (): void => {
      if (!reply.sent) sendApiError(request, reply, apiErrorAfterSending(request))
    }
    waiting.begin(service, giveUp)
    reply.raw.once('close', () => waiting.end(service, giveUp))
    const { body } = request
    const hasBody = Buffer.isBuffer(body)
    return reply.from(undefined, {
      ...(hasBody && { body, contentType: request.headers['content-type'] ?? 'application/octet-stream' }),
      ...(isRead(request) && { timeout: readTimeoutMs }),
      rewriteRequestHeaders: (_request, headers) => {
        const {
          'content-length': length,
          'content-type': type,
          ...others
        } = requestHeaders(request, headers, request.headers)
        return { ...others, ...(hasBody && { 'content-length': length, 'content-type': type }) }
      },
      rewriteHeaders: answerHeaders,
      retryDelay: ({ err, attempt }) => (mayRetry(request, err) && attempt === 0 ? retryPauseMs : null),
      onResponse: (_request, _reply, answer) => {
        waiting.end(service, giveUp)
        // The request was aborted in the meantime.
        if (reply.sent) answer.stream.destroy()
        else void reply.send(answer.stream)
      },
      // `_reply` is this reply with a weaker type.
      onError: (_reply, { error }) => {
        request.log.warn({ err: error, route: request.routeOptions.url }, 'a service did not answer, request refused')
        sendApiError(request, reply, wasSent(error) ? apiErrorAfterSending(request) : apiErrors.unavailable)
      },
    })
  }

const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** No retry after a timeout: the caller has waited long enough. */
const mayRetry = (request: FastifyRequest, error: (Error & { readonly code?: string }) | null): boolean =>
  isRead(request) && error !== null && error.code !== 'UND_ERR_HEADERS_TIMEOUT'

const timeoutMs = 1_500

/**
 * Reports service health. Without a service the gateway still serves pages, sockets and the other services' calls.
 */
export const watchServices = (
  { addHealthPart }: { addHealthPart(part: HealthPart): void },
  addresses: ServiceAddresses,
): void => {
  for (const [name, address] of Object.entries(addresses)) {
    const check = async (): Promise<void> => {
      const response = await fetch(new URL('/health/ready', address), {
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`${name} health check returned ${response.status}`)
    }
    addHealthPart({ name, isCritical: false, check })
  }
}
