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

/** A request line may contain an absolute URL, whose host the sender chooses. */
const pathOf = (url: string): string => (url.startsWith('/') ? url : '/')

export const httpsRequirementOf = ({
  publicOrigin,
  trustProxy,
}: Pick<Config['http'], 'publicOrigin' | 'trustProxy'>): HttpsRequirement | undefined =>
  publicOrigin === undefined ? undefined : { publicOrigin, isTrusted: trustedProxies(trustProxy) }

/**
 * Applies if the public URL is https and a trusted proxy reports plain http: pages are redirected, calls are
 * rejected. Redirecting a call would hide that it sent credentials in clear text. If the proxy reports no scheme,
 * the gateway assumes https.
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
