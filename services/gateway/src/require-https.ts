import { apiErrors, sendApiError } from '@portal/platform/http/problem'
import { isFromTrustedProxy, type IsTrustedProxy, trustedProxies } from '@portal/platform/http/client-address'
import type { Config } from '@portal/platform/settings/config'
import type { FastifyInstance } from 'fastify'
import { pagePath } from './pages.ts'

export type HttpsRequirement = {
  /** `https://portal.example` */
  readonly publicOrigin: string
  readonly isTrusted: IsTrustedProxy
}

/** A request may also name a whole address, whose host is its sender's choice. */
const pathOf = (url: string): string => (url.startsWith('/') ? url : '/')

export const httpsRequirementOf = ({
  publicOrigin,
  trustProxy,
}: Pick<Config['http'], 'publicOrigin' | 'trustProxy'>): HttpsRequirement | undefined =>
  publicOrigin === undefined ? undefined : { publicOrigin, isTrusted: trustedProxies(trustProxy) }

/**
 * Where the public address is https and a trusted proxy says that the caller used plain http: a page is redirected, a call is
 * refused. Redirecting calls would hide that their credentials travel in the clear. A proxy that names no scheme is believed
 * to have checked it.
 */
export const requireHttps = (app: FastifyInstance, { publicOrigin, isTrusted }: HttpsRequirement): void => {
  if (!publicOrigin.startsWith('https:')) return
  app.addHook('onRequest', (request, reply, done) => {
    const { 'x-forwarded-proto': scheme } = request.headers
    if (scheme === undefined || request.protocol === 'https' || !isFromTrustedProxy(request.raw, isTrusted)) done()
    else if (request.url === pagePath) reply.redirect(publicOrigin + pathOf(request.originalUrl), 308)
    else sendApiError(request, reply, apiErrors.httpsRequired)
  })
}
