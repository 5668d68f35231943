import type { FastifyRequest } from 'fastify'
import type { Credentials } from '../session/session.ts'

/** Where a browser says the request comes from; undefined when it says nothing, as programs do. */
const originOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => headers.origin ?? headers.referer

/**
 * Own is the address the request was sent to (its Host: a browser lets no page choose it) or the configured public one, for
 * proxies that rewrite Host.
 */
const isOwn = (origin: string, host: string | undefined, publicOrigin: string | undefined): boolean => {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === publicOrigin || (url.host !== '' && url.host === host?.toLowerCase())
}

/** Whether a page of another site sends the request. Programs name no Origin. */
export const isForeignOrigin = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicOrigin: string | undefined,
): boolean => headers.origin !== undefined && !isOwn(headers.origin, headers.host, publicOrigin)

/**
 * Whether a write may go on. The browser adds the cookie to requests that other sites start; only the Origin tells
 * them apart. So a write with the cookie alone needs the portal's own; one without any credentials (a log-in sets
 * a cookie) must at least not name a foreign one; a Bearer token is never added by a browser and needs none.
 */
export const passesCsrfCheck = (
  request: Pick<FastifyRequest, 'headers'>,
  by: Credentials['by'] | undefined,
  publicOrigin: string | undefined,
): boolean => {
  if (by === 'bearer') return true
  const origin = originOf(request)
  if (origin === undefined) return by === undefined
  return isOwn(origin, request.headers.host, publicOrigin)
}
