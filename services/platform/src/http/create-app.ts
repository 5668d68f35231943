import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { errorCodes, fastify, LogController } from 'fastify'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { handleConnectionError, handleError, installProblems } from './problem.ts'

export type HttpAppOptions = {
  readonly logger: Logger
  /** Behind a proxy: the caller's address is taken from X-Forwarded-For. */
  readonly trustProxy?: boolean
}

/** The Fastify instance every process and test starts from: problem bodies, JSON only, request ids, bounds. */
export const createHttpApp = ({ logger, trustProxy = false }: HttpAppOptions): FastifyInstance => {
  const loggerInstance: FastifyBaseLogger = logger
  const app = fastify({
    loggerInstance,
    logController: new RequestLog({ requestIdLogLabel: 'requestId' }),
    trustProxy,
    genReqId: requestId,
    requestTimeout: 30_000,
    // What arrives on an open connection during a shutdown is still served.
    return503OnClosing: false,
    frameworkErrors: handleError,
    clientErrorHandler: handleConnectionError,
  })
  installProblems(app)
  acceptJsonOnly(app)
  return app
}

const givenId = /^[\w.-]{8,64}$/

/** A proxy's request id is kept, so that one id runs through all logs; anything odd is replaced. */
const requestId = (request: Pick<IncomingMessage, 'headers'>): string => {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && givenId.test(given) ? given : randomUUID()
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

/** One line for every write and every failure; a read that succeeded is only worth a debug line. */
class RequestLog extends LogController {
  override incomingRequest(): void {
    // The line at the end says all of it.
  }
  override requestCompleted(error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const isNews = reply.statusCode >= 400 || (request.method !== 'GET' && request.method !== 'HEAD')
    const { level } = request.log
    if (!isNews && level !== 'debug' && level !== 'trace') return
    const { method, routeOptions } = request
    // The route's pattern, not the address: addresses can carry tokens.
    const facts = { method, route: routeOptions.url, status: reply.statusCode, durationMs: reply.elapsedTime }
    request.log[isNews ? 'info' : 'debug'](error ? { ...facts, err: error } : facts, 'request')
  }
}
