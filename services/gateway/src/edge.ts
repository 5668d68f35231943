import { serveHealth } from '@portal/platform/http/monitoring-routes'
import { registerOpenApi, serveDocs } from '@portal/platform/http/openapi'
import { documentSecurityHeaders } from '@portal/platform/http/security-headers'
import type { Health } from '@portal/platform/observability/health'
import type { FastifyInstance } from 'fastify'
import { type DevMailbox, serveDevOutbox } from './dev-mailbox.ts'
import { scriptsInPage, serveClient } from './pages.ts'
import { type HttpsRequirement, requireHttps } from './require-https.ts'

export type EdgeOptions = {
  /** The built web client. */
  readonly webDir: string
  readonly health: Health
  /** Lets pages reach the push provider. */
  readonly registersForPush?: boolean
  /** Absent where no public address is known. */
  readonly https?: HttpsRequirement | undefined
  /** Describes the calls at /docs. */
  readonly docs?: boolean
  /** Shows at /dev/outbox what the portal would have sent; only where the person who starts it asks for it. */
  readonly mailbox?: DevMailbox | undefined
}

/**
 * What the portal answers besides its calls: the client, /docs, /health. To be awaited before any route is bound, so that
 * the calls are documented. The instance's `rewriteUrl` is `pageOrCall` of pages.ts.
 */
export const setUpEdge = async (app: FastifyInstance, options: EdgeOptions): Promise<void> => {
  const { webDir, health, docs = true, mailbox, https } = options
  if (https) requireHttps(app, https)
  if (docs) await registerOpenApi(app, 'Learning programs portal')
  serveHealth(app, health)
  // In a scope of its own: calls have a policy that allows nothing.
  await app.register(async (documents) => {
    protectDocuments(documents, options)
    await serveClient(documents, webDir)
    if (docs) await serveDocs(documents)
    if (mailbox !== undefined) serveDevOutbox(documents, mailbox)
  })
}

/** Where a browser asks for a push token. */
const pushProvider = ['https://fcmregistrations.googleapis.com', 'https://firebaseinstallations.googleapis.com']

/** `host` is left out where it is no plain host name, because the policy would take what follows for directives. */
const contentPolicy = ({ webDir, registersForPush = false }: EdgeOptions) => {
  const scripts = scriptsInPage(webDir)
  const before = [
    "default-src 'self'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    // Emotion writes its rules into style elements.
    "style-src 'self' 'unsafe-inline'",
    // Logos of tools and partners are addresses that admins enter.
    "img-src 'self' data: https:",
    "media-src 'self' https:",
    "font-src 'self' data:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "connect-src 'self'",
  ].join('; ')
  const after = `${registersForPush ? ` ${pushProvider.join(' ')}` : ''}; frame-ancestors 'none'`
  // Not every browser counts the own host's web sockets as 'self'.
  return (host: string | undefined): string =>
    host !== undefined && /^[\w.:[\]-]+$/.test(host)
      ? `${before} ws://${host} wss://${host}${after}`
      : `${before}${after}`
}

const protectDocuments = (documents: FastifyInstance, options: EdgeOptions): void => {
  const policyFor = contentPolicy(options)
  documents.addHook('onRequest', (request, reply, done) => {
    reply.headers(documentSecurityHeaders)
    reply.header('content-security-policy', policyFor(request.headers.host))
    done()
  })
}
