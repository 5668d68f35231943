import { randomBytes } from 'node:crypto'
import { type IncomingMessage, maxHeaderSize } from 'node:http'
import { errorCodes, fastify, type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import { measureRequests, traceRequests } from './observe-requests.ts'
import type { Observability } from '../observability/observability.ts'
import type { SecurityLog } from '../security-log/security-log.ts'
import type { HostRule } from './allowed-hosts.ts'
import { handleConnectionError, handleError, installProblems, apiErrors, sendApiError } from './problem.ts'
import { apiSecurityHeadersFor, strictTransport } from './security-headers.ts'
import { isFromTrustedProxy, type IsTrustedProxy, trustedProxies } from './client-address.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly securityLog: SecurityLog | undefined
  }
}

type HttpAppOptions = {
  readonly logger: Logger
  /** Where refusals and failures of requests are recorded. */
  readonly securityLog?: SecurityLog
  /** Behind proxies: the caller's address is taken from X-Forwarded-For, as far as so many or these addresses have written it. */
  readonly trustProxy?: false | number | string
  /** Which Host names are answered; all of them where absent. */
  readonly hosts?: HostRule | undefined
  readonly publicOrigin?: string | undefined
  /** The address to answer for, asked before anything else. The one asked for where absent. */
  readonly rewriteUrl?: (request: IncomingMessage) => string
  /** Where requests are counted and traced. */
  readonly observability?: Observability
}

/**
 * The Fastify instance every process and test starts from: problem bodies, JSON only, request ids, bounds.
 *
 * It is not given the logger as its own: then it would listen to the end of every response for a line that only writes and
 * refusals are worth (request-log.ts), which is a tenth of what a read costs. What it does log still goes there.
 */
export const createHttpApp = ({
  logger,
  securityLog,
  trustProxy = false,
  hosts,
  publicOrigin,
  rewriteUrl,
  observability,
}: HttpAppOptions): FastifyInstance => {
  const requestLogger: FastifyBaseLogger = logger
  const isTrusted = trustedProxies(trustProxy)
  const app = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => requestLogger,
    trustProxy: trustProxy === false ? false : isTrusted,
    genReqId: requestIds(isTrusted),
    ...(rewriteUrl && { rewriteUrl }),
    // How long a part of an address may be is its contract's business, which says so in its own words; Node bounds the whole.
    routerOptions: { maxParamLength: maxHeaderSize },
    requestTimeout: 30_000,
    // What arrives on an open connection during a shutdown is still served.
    return503OnClosing: false,
    frameworkErrors: handleError,
    clientErrorHandler: handleConnectionError,
  })
  if (observability) {
    measureRequests(app, observability.metrics)
    traceRequests(app, observability.tracing)
  }
  app.decorate('securityLog', securityLog)
  addSecurityHeaders(app, hosts, publicOrigin)
  installProblems(app)
  acceptJsonOnly(app)
  return app
}

const givenId = /^[\w.-]{8,64}$/

/**
 * A trusted proxy's request id is kept, so that one id runs through all logs; anyone else's would be theirs to choose, and it is
 * recorded with events. Ours are counted behind a random beginning: as unique as random ones, and they cost a request nothing.
 */
const requestIds = (isTrusted: IsTrustedProxy) => {
  const beginning = randomBytes(6).toString('hex')
  let count = 0
  return (request: Pick<IncomingMessage, 'headers' | 'socket'>): string => {
    const given = request.headers['x-request-id']
    if (typeof given === 'string' && givenId.test(given) && isFromTrustedProxy(request, isTrusted)) return given
    count += 1
    return `${beginning}-${count}`
  }
}

/** Refuses a foreign Host before anything else looks at the request. One hook for both, because it runs for every request. */
const addSecurityHeaders = (
  app: FastifyInstance,
  hosts: HostRule | undefined,
  publicOrigin: string | undefined,
): void => {
  const headers = apiSecurityHeadersFor(publicOrigin)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers)
    // The scheme only counts where a trusted proxy names it, which is for Fastify to say.
    if (request.headers['x-forwarded-proto'] !== undefined && request.protocol === 'https') {
      reply.header('strict-transport-security', strictTransport)
    }
    if (hosts && !hosts(request.raw)) sendApiError(request, reply, apiErrors.foreignHost)
    else done()
  })
}

/**
 * An empty body with a JSON content type is no body: clients send the header with every call. To an unknown call any body
 * will do, so that the answer is about the call.
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
