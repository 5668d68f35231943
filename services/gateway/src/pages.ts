import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { isReservedPath } from '@portal/contracts/shared/reserved-paths'
import type { FastifyInstance } from 'fastify'

/** What a navigation is answered with, whatever its address. */
export const pagePath = '/index.html'
const page = pagePath

const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** The addresses of the client's files: a video has one of its own, too. */
const addressesIn = (webDir: string): ReadonlySet<string> => {
  if (!existsSync(webDir)) return new Set()
  const entries = readdirSync(webDir, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return new Set(
    files.map(({ parentPath, name }) => `/${relative(webDir, join(parentPath, name)).replaceAll(sep, '/')}`),
  )
}

/**
 * The one place that decides between a page and a call. Both share their addresses (`/admin/programs` is either): a browser
 * that navigates accepts text/html and gets the page, anything else is the call. Returns the address to answer for.
 */
export const pageOrCall = (webDir: string): ((request: IncomingMessage) => string) => {
  const files = addressesIn(webDir)
  return ({ method, url = '/', headers }) => {
    if (method !== 'GET' && method !== 'HEAD') return url
    // No call lives at the root, so a program that asks there is shown the page, too.
    if (url === '/') return page
    if (!headers.accept?.includes('text/html')) return url
    const path = pathOf(url)
    return files.has(path) || isReservedPath(path) ? url : page
  }
}

/** The scripts that stand in the page itself, as a content security policy names them: by what they are, to the letter. */
export const scriptsInPage = (webDir: string): readonly string[] => {
  const file = join(webDir, page)
  const html = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
}

/** Serves the files of the built client from `webDir`, its page among them. */
export const serveClient = async (app: FastifyInstance, webDir: string): Promise<void> => {
  if (!existsSync(join(webDir, page))) {
    serveNotBuilt(app)
    return
  }
  const assets = join(webDir, 'assets')
  await app.register(fastifyStatic, {
    root: webDir,
    index: false,
    dotfiles: 'ignore',
    // The build leaves a .br and a .gz beside what is worth it.
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      // A file under assets has a hash of its content in its name: it never changes.
      reply.header('cache-control', path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache')
      // Caches must not give the page to a call at the same address.
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
