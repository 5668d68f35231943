import { randomBytes } from 'node:crypto'
import { type IncomingMessage, maxHeaderSize } from 'node:http'
import { errorCodes, fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { measureRequests } from '../observability/http/measure-requests.ts'
import { traceRequests } from '../observability/http/trace-requests.ts'
import type { Observability } from '../observability/observability.ts'
import type { SecurityLog } from '../security-log/security-log.ts'
import { handleConnectionError, handleError, installProblems } from './problem.ts'

declare module 'fastify' {
  interface FastifyInstance {
    readonly securityLog: SecurityLog | undefined
  }
}

export type HttpAppOptions = {
  readonly logger: Logger
  /** Where refusals and failures of requests are recorded. */
  readonly securityLog?: SecurityLog
  /** Behind proxies: the caller's address is taken from X-Forwarded-For, as far as so many or these addresses have written it. */
  readonly trustProxy?: false | number | string
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
  rewriteUrl,
  observability,
}: HttpAppOptions): FastifyInstance => {
  const requestLogger: FastifyBaseLogger = logger
  const app = fastify({
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => requestLogger,
    trustProxy: typeof trustProxy === 'number' ? (_address, hop) => hop < trustProxy : trustProxy,
    genReqId: requestIds(),
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
  installProblems(app)
  acceptJsonOnly(app)
  return app
}

const givenId = /^[\w.-]{8,64}$/

/**
 * A proxy's request id is kept, so that one id runs through all logs; anything odd is replaced. Ours are counted behind a
 * random beginning: as unique as random ones, and they cost a request nothing.
 */
const requestIds = () => {
  const beginning = randomBytes(6).toString('hex')
  let count = 0
  return ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
    const given = headers['x-request-id']
    if (typeof given === 'string' && givenId.test(given)) return given
    count += 1
    return `${beginning}-${count}`
  }
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
