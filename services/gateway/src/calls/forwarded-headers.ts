import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** They are about one connection, not about the request; `expect` has been answered by this side. */
const ofOneHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
  'expect',
])

/** Said anew here, whatever the caller claimed. */
const saidAnew: ReadonlySet<string> = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-real-ip',
])

/**
 * The headers for the service. Host stays what the caller sent: the service compares it with the Origin, and the gateway has
 * no other name for the portal either.
 */
export const requestHeaders = (
  { ip, protocol, host, id }: Pick<FastifyRequest, 'ip' | 'protocol' | 'host' | 'id'>,
  given: IncomingHttpHeaders,
  own: IncomingHttpHeaders,
): IncomingHttpHeaders => {
  const kept = Object.entries(given).filter(([name]) => !ofOneHop.has(name) && !saidAnew.has(name))
  return {
    ...Object.fromEntries(kept),
    ...(own.host !== undefined && { host: own.host }),
    'x-forwarded-for': ip,
    'x-forwarded-proto': protocol,
    'x-forwarded-host': host,
    'x-request-id': id,
  }
}

export const answerHeaders = (given: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !ofOneHop.has(name)))
