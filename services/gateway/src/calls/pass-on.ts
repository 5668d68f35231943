import replyFrom from '@fastify/reply-from'
import type { AnyRoute } from '@portal/contracts/shared/route'
import { defaultBodyLimitBytes } from '@portal/platform/http/bind-route'
import { refusals, sendRefusal } from '@portal/platform/http/problem'
import { signingKeysPath } from '@portal/platform/http/signing-keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerHeaders, requestHeaders } from './forwarded-headers.ts'
import { ownedRoutes, type ServiceName } from './owned-routes.ts'

/** To one service, kept open. Requests beyond that wait for one to be free. */
const connections = 64
const connectTimeoutMs = 2_000
/** The longest that a service takes for a call is a send to everyone. */
const answerTimeoutMs = 30_000
/** A reading call meets a connection that the service has just closed; it is tried once more. */
const retryPauseMs = 20

export type ServiceAddresses = Readonly<Record<ServiceName, string>>

/**
 * Passes each call on to the service whose contract it is. The gateway looks at none of it: session, role, origin and body are
 * checked where the call is answered. To be called after `setUpEdge`, so that /docs describes the calls.
 */
export const passCallsOn = async (app: FastifyInstance, addresses: ServiceAddresses): Promise<void> => {
  const services: readonly ServiceName[] = ['auth', 'catalog', 'notifications']
  for (const service of services) {
    await app.register(async (calls) => {
      takeBodiesAsTheyAre(calls)
      await calls.register(replyFrom, {
        base: addresses[service],
        disableRequestLogging: true,
        destroyAgent: true,
        undici: {
          connections,
          pipelining: 1,
          headersTimeout: answerTimeoutMs,
          bodyTimeout: answerTimeoutMs,
          connect: { timeout: connectTimeoutMs },
        },
      })
      for (const route of ownedRoutes[service]) passOn(calls, route)
      if (service === 'auth') calls.get(signingKeysPath, forward)
    })
  }
}

/** Nothing is parsed: a body reaches the service byte for byte, if it is within the limit of its route. */
const takeBodiesAsTheyAre = (calls: FastifyInstance): void => {
  calls.removeAllContentTypeParsers()
  calls.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

const passOn = (calls: FastifyInstance, route: AnyRoute): void => {
  calls.route({
    method: route.method,
    url: route.path,
    bodyLimit: route.bodyLimitBytes ?? defaultBodyLimitBytes,
    config: { contract: route },
    handler: forward,
  })
}

const forward = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { body } = request
  const hasBody = Buffer.isBuffer(body)
  return reply.from(undefined, {
    ...(hasBody && { body, contentType: request.headers['content-type'] ?? 'application/octet-stream' }),
    rewriteRequestHeaders: (_request, headers) => {
      const {
        'content-length': length,
        'content-type': type,
        ...others
      } = requestHeaders(request, headers, request.headers)
      return { ...others, ...(hasBody && { 'content-length': length, 'content-type': type }) }
    },
    rewriteHeaders: answerHeaders,
    retryDelay: ({ err, attempt }) => (request.method === 'GET' && err && attempt === 0 ? retryPauseMs : null),
    // The reply that it gets is this one, with less known of its type.
    onError: (_reply, { error }) => {
      request.log.warn({ err: error, route: request.routeOptions.url }, 'A service did not answer')
      sendRefusal(request, reply, refusals.unavailable)
    },
  })
}
