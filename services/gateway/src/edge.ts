import helmet, { type FastifyHelmetOptions } from '@fastify/helmet'
import { serveHealth } from '@portal/platform/http/health-route'
import { describeCalls, serveDocs } from '@portal/platform/http/openapi'
import type { Health } from '@portal/platform/runtime/health'
import type { FastifyInstance } from 'fastify'
import type { IncomingMessage } from 'node:http'
import { serveDevOutbox } from './dev-outbox.ts'
import { scriptsInPage, serveClient } from './pages.ts'

export type EdgeOptions = {
  /** The built web client. */
  readonly webDir: string
  readonly health: Health
  /** Where the portal is reached from outside, when that is known. */
  readonly publicOrigin?: string | undefined
  /** Lets pages reach the push provider. */
  readonly registersForPush?: boolean
  /** Shows this file at /dev/outbox. Absent in production. */
  readonly outboxFile?: string | undefined
}

/**
 * What the portal answers besides its calls: the client, /docs, /health. To be awaited before any route is bound, so that
 * the calls are documented. The instance's `rewriteUrl` is `pageOrCall` of pages.ts.
 */
export const setUpEdge = async (app: FastifyInstance, options: EdgeOptions): Promise<void> => {
  const { webDir, health, outboxFile } = options
  await describeCalls(app, 'Learning programs portal')
  serveHealth(app, health)
  // In a scope of its own, because what protects documents would cost the calls half their rate and helps no JSON.
  await app.register(async (documents) => {
    await documents.register(helmet, protection(options))
    await serveClient(documents, webDir)
    await serveDocs(documents)
    if (outboxFile !== undefined) serveDevOutbox(documents, outboxFile)
  })
}

/** Where a browser asks for a push token. */
const pushProvider = ['https://fcmregistrations.googleapis.com', 'https://firebaseinstallations.googleapis.com']

const protection = ({ webDir, publicOrigin, registersForPush = false }: EdgeOptions): FastifyHelmetOptions => ({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      'default-src': ["'self'"],
      'script-src': ["'self'", ...scriptsInPage(webDir)],
      // Emotion writes its rules into style elements.
      'style-src': ["'self'", "'unsafe-inline'"],
      // Logos of tools and partners are addresses that admins enter.
      'img-src': ["'self'", 'data:', 'https:'],
      'media-src': ["'self'", 'https:'],
      'font-src': ["'self'", 'data:'],
      'connect-src': ["'self'", socketSource('ws'), socketSource('wss'), ...(registersForPush ? pushProvider : [])],
      'worker-src': ["'self'"],
      'manifest-src': ["'self'"],
      'object-src': ["'none'"],
      'base-uri': ["'self'"],
      'form-action': ["'self'"],
      'frame-ancestors': ["'none'"],
    },
  },
  strictTransportSecurity: (publicOrigin?.startsWith('https:') ?? false) && { maxAge: 31_536_000 },
  // The referrer stays within the portal, where it can stand in for a missing Origin.
  referrerPolicy: { policy: 'same-origin' },
  frameguard: { action: 'deny' },
})

/** Not every browser counts the own host's web sockets as 'self'. */
const socketSource = (scheme: 'ws' | 'wss') => (request: IncomingMessage) => {
  const { host } = request.headers
  return host !== undefined && /^[\w.:[\]-]+$/.test(host) ? `${scheme}://${host}` : "'self'"
}
