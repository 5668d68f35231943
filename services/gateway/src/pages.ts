import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { isReservedPath } from '@portal/contracts/shared/reserved-paths'
import { scriptedStyles } from '@portal/contracts/shared/scripted-styles'
import type { FastifyInstance } from 'fastify'
import { isPageOnly } from './page-or-call.ts'
import { programPreviews } from './program-preview.ts'
import { servePage } from './serve-page.ts'

/** The response to every navigation. */
export const pagePath = '/index.html'
const page = pagePath

const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** The URL paths of the client's files, including videos. */
const addressesIn = (webDir: string): ReadonlySet<string> => {
  if (!existsSync(webDir)) return new Set()
  const entries = readdirSync(webDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map(({ parentPath, name }) => `/${relative(webDir, join(parentPath, name)).replaceAll(sep, '/')}`),
  )
}

/**
 * Decides between page and API call by the path alone, where only one of them has it. Both share some (`/admin/programs` is either):
 * there a navigation, which accepts text/html, gets the page, and any other request is the call. Returns the rewritten URL.
 */
export const pageOrCall = (webDir: string): ((request: IncomingMessage) => string) => {
  const files = addressesIn(webDir)
  return ({ method, url = '/', headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return url
    const path = pathOf(url)
    // The root has no API call, so programs get the page as well.
    if (path === '/' || isPageOnly(path)) return page
    // The client redirects from a path that neither has.
    if (!headers.accept?.includes('text/html')) return url
    return files.has(path) || isReservedPath(path) ? url : page
  }
}

/** The source of an inline script or style in a content security policy. */
const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** What the content security policy allows inline: the scripts and styles of the built pages, and the styles that scripts add. */
export const inlineSources = (webDir: string) => {
  const files = [...addressesIn(webDir)].filter((address) => address === page || /^\/pages\/.*\.html$/.test(address))
  const html = files.map((file) => readFileSync(join(webDir, file), 'utf8')).join('')
  const textsOf = (element: RegExp): readonly string[] => [...html.matchAll(element)].map(([, text = '']) => text)
  const scripts = textsOf(/<script>(.*?)<\/script>/gs)
  const styles = [...textsOf(/<style[^>]*>(.*?)<\/style>/gs), ...Object.values(scriptedStyles)]
  return { scripts: [...new Set(scripts)].map(hashSource), styles: [...new Set(styles)].map(hashSource) }
}

/** Serves the built client, including its page, from `webDir`. */
export const serveClient = async (app: FastifyInstance, webDir: string, publicOrigin?: string): Promise<void> => {
  if (!existsSync(join(webDir, page))) {
    serveNotBuilt(app)
    return
  }
  servePage(app, page, { webDir, publicOrigin, readProgramPreview: programPreviews(app) })
  const assets = join(webDir, 'assets')
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    dotfiles: 'ignore',
    // The build adds .br and .gz variants.
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isAsset = path.startsWith(assets)
      // Names under assets contain a content hash, so the files never change.
      reply.header('cache-control', isAsset ? 'public, max-age=31536000, immutable' : 'no-cache')
      // Browsers read both for documents and workers only. In 30 files, they would delay a first visit on a slow network by half a second.
      if (isAsset) reply.removeHeader('content-security-policy').removeHeader('permissions-policy')
      // Caches must not return the page for a call to the same path.
      reply.header('vary', 'Accept')
    },
  })
}

const serveNotBuilt = (app: FastifyInstance): void => {
  app.get(page, (_request, reply) => {
    reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'Accept')
    return reply.send(
      '<!doctype html><title>Portal</title><p>The web client has not been built yet: run <code>make build</code>.',
    )
  })
}
