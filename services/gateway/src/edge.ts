import { serveHealth } from '@portal/platform/http/monitoring-routes'
import { serveDocs } from '@portal/platform/http/docs-page'
import { registerOpenApi } from '@portal/platform/http/openapi'
import { documentSecurityHeaders } from '@portal/platform/http/security-headers'
import type { Health } from '@portal/platform/observability/health'
import type { FastifyInstance } from 'fastify'
import { docsScript, docsStyle, docsTitle, documentInfo } from './api-docs.ts'
import { type DevMailbox, serveDevOutbox } from './dev-mailbox.ts'
import { logo } from './page-style.ts'
import { inlineSources, serveClient } from './pages.ts'
import { type HttpsRequirement, requireHttps } from './require-https.ts'

export type EdgeOptions = {
  /** The built web client. */
  readonly webDir: string
  readonly health: Health
  /** Allows connections to the push provider. */
  readonly registersForPush?: boolean
  /** Absent if the portal has no public URL. */
  readonly https?: HttpsRequirement | undefined
  /** Serves the API documentation at /docs. */
  readonly docs?: boolean
  /** The portal's address, for the examples in the documentation. */
  readonly address?: string
  /** Shows outgoing messages at /dev/outbox. Only on request. */
  readonly mailbox?: DevMailbox | undefined
}

/**
 * Sets up everything except API calls: the web client, /docs and /health. Await it before binding routes, so that
 * they are documented. The Fastify instance needs `pageOrCall` (pages.ts) as `rewriteUrl`.
 */
export const setUpEdge = async (app: FastifyInstance, options: EdgeOptions): Promise<void> => {
  const { webDir, health, docs = true, address = 'http://localhost:3000', mailbox, https } = options
  if (https) requireHttps(app, https)
  if (docs) await registerOpenApi(app, documentInfo(address))
  serveHealth(app, health)
  // Separate scopes: API responses have a policy that allows nothing.
  await app.register(async (documents) => {
    const { scripts, styles } = inlineSources(webDir)
    protectDocuments(documents, contentPolicy(options, { scripts, styles: ["'self'", ...styles] }))
    await serveClient(documents, webDir, https?.publicOrigin)
  })
  await app.register(async (documents) => {
    protectDocuments(documents, contentPolicy(options, { scripts: [], styles: anyStyle }))
    if (docs) await serveDocs(documents, { title: docsTitle, logo, css: docsStyle, js: docsScript })
    if (mailbox !== undefined) serveDevOutbox(documents, mailbox)
  })
}

/** Endpoints that issue push tokens to browsers. */
const pushProvider = ['https://fcmregistrations.googleapis.com', 'https://firebaseinstallations.googleapis.com']

const anyStyle = ["'self'", "'unsafe-inline'"]

type Sources = { readonly scripts: readonly string[]; readonly styles: readonly string[] }
type ContentPolicy = (host: string | undefined) => string

/** Omits a `host` that is not a plain host name: the policy would parse the rest as directives. */
const contentPolicy = ({ registersForPush = false }: EdgeOptions, { scripts, styles }: Sources): ContentPolicy => {
  const before = [
    "default-src 'self'",
    `script-src ${["'self'", ...scripts].join(' ')}`,
    // Of attributes, and of elements in Firefox before 108.
    `style-src ${anyStyle.join(' ')}`,
    `style-src-elem ${styles.join(' ')}`,
    // Admins enter the logo URLs of tools and partners.
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
  // Some browsers do not match web sockets of the same host with 'self'.
  return (host) =>
    host !== undefined && /^[\w.:[\]-]+$/.test(host)
      ? `${before} ws://${host} wss://${host}${after}`
      : `${before}${after}`
}

const protectDocuments = (documents: FastifyInstance, policyFor: ContentPolicy): void => {
  documents.addHook('onRequest', (request, reply, done) => {
    reply.headers(documentSecurityHeaders)
    reply.header('content-security-policy', policyFor(request.headers.host))
    done()
  })
}
