import { randomBytes } from 'node:crypto'
import { type IncomingMessage, maxHeaderSize, type ServerResponse } from 'node:http'
import { errorCodes, fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { measureRequests, traceRequests } from './observe-requests.ts'
import type { Observability } from '../observability/observability.ts'
import type { SecurityLog } from '../security-log/security-log.ts'
import { hasRequiredHost, type HostRule } from './allowed-hosts.ts'
import { createFailureLog } from './request-log.ts'
import { handleConnectionError, handleError, installProblems, apiErrors, sendApiError } from './problem.ts'
import { apiSecurityHeadersFor, strictTransport } from './security-headers.ts'
import { clientAddressOf, isFromTrustedProxy, type IsTrustedProxy, trustedProxies } from './client-address.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly securityLog: SecurityLog | undefined
    readonly logFailure: ReturnType<typeof createFailureLog>
  }
  interface FastifyRequest {
    /** The caller's address by TRUST_PROXY. Fastify's own `ip` keeps the port that some proxies write behind an address. */
    readonly clientAddress: string
  }
}

/** How long a client may take to send a request. */
type ReceiveTimes = {
  readonly headMs: number
  /** Head and body. */
  readonly requestMs: number
  readonly checkEveryMs: number
}

const defaultReceiveTimes: ReceiveTimes = { headMs: 15_000, requestMs: 30_000, checkEveryMs: 1_000 }

type HttpAppOptions = {
  readonly logger: Logger
  readonly receiveTimes?: ReceiveTimes
  /** Records rejected and failed requests. */
  readonly securityLog?: SecurityLog
  /** Takes the client address from X-Forwarded-For, as far as this many hops or these proxies have written it. */
  readonly trustProxy?: false | number | string
  /** The allowed Host names; all by default. */
  readonly hosts?: HostRule | undefined
  readonly publicOrigin?: string | undefined
  /** Rewrites the URL before routing. */
  readonly rewriteUrl?: (request: IncomingMessage) => string
  /** Counts and traces requests. */
  readonly observability?: Observability
}

/**
 * The Fastify instance of every process and test: problem bodies, JSON only, request ids, limits.
 *
 * Fastify's own request logging is off, because it adds a listener to every response, a tenth of the cost of a read.
 * request-log.ts logs writes and rejections only.
 */
export const createHttpApp = ({
  logger,
  receiveTimes = defaultReceiveTimes,
  securityLog,
  trustProxy = false,
  hosts,
  publicOrigin,
  rewriteUrl,
  observability,
}: HttpAppOptions): FastifyInstance => {
  const requestLogger: FastifyBaseLogger = logger
  const isTrusted = trustedProxies(trustProxy)
  const app: FastifyInstance = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => requestLogger,
    trustProxy: trustProxy === false ? false : isTrusted,
    genReqId: requestIds(isTrusted),
    ...(rewriteUrl && { rewriteUrl }),
    // The contract limits each path parameter, with its own message. Node limits the whole URL.
    routerOptions: { maxParamLength: maxHeaderSize },
    // Inside `http` it would have no effect. Without both, Node's defaults take the place of one: a head or body may then stall for
    // 88 s.
    requestTimeout: receiveTimes.requestMs,
    http: {
      headersTimeout: receiveTimes.headMs,
      connectionsCheckingInterval: receiveTimes.checkEveryMs,
      shouldUpgradeCallback: (request) => isSocketUpgrade(request) && app.server.listenerCount('upgrade') > 0,
      // Node's own answer would lack the security headers.
      requireHostHeader: false,
    },
    // During a shutdown, requests on open connections are still served.
    return503OnClosing: false,
    frameworkErrors: handleError,
    clientErrorHandler: handleConnectionError,
  })
  ignoreExpectations(app)
  if (observability) {
    measureRequests(app, observability.metrics)
    traceRequests(app, observability.tracing)
  }
  app.decorate('securityLog', securityLog)
  app.decorate('logFailure', createFailureLog())
  app.decorateRequest('clientAddress', {
    getter() {
      return clientAddressOf(this.raw, isTrusted)
    },
  })
  addSecurityHeaders(app, hosts, publicOrigin)
  installProblems(app)
  acceptJsonOnly(app)
  return app
}

const givenId = /^[\w.-]{8,64}$/

/**
 * Keeps the request id of a trusted proxy, so that all logs share one id. Ids of other callers are ignored, because ids are
 * recorded with events. Generated ids are a counter with a random prefix: unique, and cheaper than a random id per request.
 */
const requestIds = (isTrusted: IsTrustedProxy) => {
  const prefix = randomBytes(6).toString('hex')
  let count = 0
  return (request: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && givenId.test(given) && isFromTrustedProxy(request, isTrusted)) return given
    count += 1
    return `${prefix}-${count}`
  }
}

/** Node leaves no answer to a request that is upgraded, so any other protocol that a client offers is ignored. */
const isSocketUpgrade = ({ headers, url = '' }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket' && url.startsWith('/socket.io/')

/** Node answers 100-continue itself, and any other expectation with 417 and without the security headers. */
const ignoreExpectations = ({ server }: FastifyInstance): void => {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
}

/** Adds security headers and rejects foreign Host names first. One hook for both, because it runs for every request. */
const addSecurityHeaders = (
  app: FastifyInstance,
  hosts: HostRule | undefined,
  publicOrigin: string | undefined,
): void => {
  const headers = apiSecurityHeadersFor(publicOrigin)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    // Fastify accepts the scheme only from a trusted proxy.
    if (request.headers['x-forwarded-proto'] !== undefined && request.protocol === 'https') {
      reply.header('strict-transport-security', strictTransport)
    }
    if (!hasRequiredHost(request.raw)) sendApiError(request, reply, apiErrors.notOneHost)
    else if (hosts && !hosts(request.raw)) sendApiError(request, reply, apiErrors.foreignHost)
    else done()
  })
}

/**
 * An empty body with a JSON content type counts as no body, because clients send the header with every request. An unknown route
 * accepts any body, so that the error is 404.
 */
const acceptJsonOnly = (app: FastifyInstance): void => {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '' || request.is404) done(null, undefined)
    else parseJson(request, body, done)
  })
  app.addContentTypeParser('*', (request, _payload, done) => {
    if (request.is404) done(null, undefined)
    else done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type'] ?? ''))
  })
}
