import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'

/** Hop-by-hop headers, plus `expect`, which the gateway has already answered. */
const hopByHop: ReadonlySet<string> = new Set([
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

/** The gateway sets these itself and ignores the caller's values. */
const setByGateway: ReadonlySet<string> = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-real-ip',
])

/** Returns the headers to forward. Host stays as sent, because the service compares it with the Origin. */
export const requestHeaders = (
  { ip, protocol, host, id }: Pick<FastifyRequest, 'ip' | 'protocol' | 'host' | 'id'>,
  given: IncomingHttpHeaders,
  own: IncomingHttpHeaders,
): IncomingHttpHeaders => {
  const kept = Object.entries(given).filter(([name]) => !hopByHop.has(name) && !setByGateway.has(name))
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
  Object.fromEntries(Object.entries(given).filter(([name]) => !hopByHop.has(name)))
