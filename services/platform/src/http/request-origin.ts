import type { FastifyRequest } from 'fastify'
import type { Credentials } from '../session/session.ts'

/** The origin that a browser sends; undefined for other clients. */
const originOf = ({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined => headers.origin ?? headers.referer

/**
 * The portal's own origin is the request's Host, which no page can choose, or the configured public address, for proxies that
 * rewrite Host.
 */
const isOwn = (origin: string, host: string | undefined, publicOrigin: string | undefined): boolean => {
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return url.origin === publicOrigin || (url.host !== '' && url.host === host?.toLowerCase())
}

/** Whether a page of another site sends the request. Clients other than browsers send no Origin. */
export const isForeignOrigin = (
  { headers }: Pick<FastifyRequest, 'headers'>,
  publicOrigin: string | undefined,
): boolean => headers.origin !== undefined && !isOwn(headers.origin, headers.host, publicOrigin)

/**
 * The CSRF check of a write. Browsers add the cookie to requests that other sites start, so a write with the cookie needs the
 * portal's own Origin. A write without credentials, such as a login, must not have a foreign Origin. A Bearer token needs no check,
 * because browsers never add one.
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
