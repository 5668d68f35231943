import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** Addresses that are never a page of the client, whatever the browser accepts. */
const neverPages = ['/assets', '/docs', '/health', '/dev', '/.well-known', '/socket.io']

const pathOf = (url: string): string => {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/**
 * The one place that decides between a page and a call. Both share their addresses (`/admin/programs` is either): a browser
 * that navigates accepts text/html and gets the page, anything else is the call.
 */
const wantsPage = ({ method, url, headers }: FastifyRequest, files: ReadonlySet<string>): boolean => {
  if (method !== 'GET' && method !== 'HEAD') return false
  // No call lives at the root, so a program that asks there is shown the page, too.
  if (url === '/') return true
  if (!headers.accept?.includes('text/html')) return false
  const path = pathOf(url)
  return !files.has(path) && !neverPages.some((prefix) => path === prefix || path.startsWith(`${prefix}/`))
}

/** Serves the built client from `webDir`: its page to whoever navigates, its files at their addresses. */
export const servePages = async (app: FastifyInstance, webDir: string): Promise<void> => {
  const isBuilt = existsSync(join(webDir, 'index.html'))
  if (isBuilt) await serveFiles(app, webDir)
  else app.log.warn({ webDir }, 'the web client has not been built')

  const files = new Set(isBuilt ? readdirSync(webDir).map((name) => `/${name}`) : [])
  const sendPage = isBuilt ? sendIndex : sendNotBuilt
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff')
    // Caches must not give a call's answer to a navigation, nor the page to a call.
    if (request.method === 'GET' || request.method === 'HEAD') reply.header('vary', 'Accept')
    if (!wantsPage(request, files)) {
      done()
      return
    }
    reply.helmet()
    sendPage(reply)
  })
}

const sendIndex = (reply: FastifyReply): void => {
  reply.sendFile('index.html')
}

const sendNotBuilt = (reply: FastifyReply): void => {
  reply.header('content-type', 'text/html; charset=utf-8').header('cache-control', 'no-store')
  reply.send(
    '<!doctype html><title>Portal</title><p>The web client has not been built yet: run <code>make build</code>.',
  )
}

const serveFiles = async (app: FastifyInstance, webDir: string): Promise<void> => {
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
    },
  })
}
