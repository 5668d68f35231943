import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

const sharedAddress = /(<meta\s+property="og:(?:url|image)"\s+content=")(\/[^"]*")/g

/** The page with absolute addresses for the sites that show a preview of a link to it. */
export const withPublicOrigin = (html: string, publicOrigin: string): string =>
  html.replaceAll(sharedAddress, (_tag, before: string, address: string) => before + publicOrigin + address)

const encodings = ['br', 'gzip'] as const

const accepts = (header: string | string[] | undefined, encoding: string): boolean =>
  [header ?? ''].flat().some((list) =>
    list.split(',').some((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return name === encoding && !parameters.includes('q=0')
    }),
  )

/** Serves the page with the public origin in it. The variants that the build has compressed lack the origin. */
export const servePage = async (
  app: FastifyInstance,
  file: string,
  path: string,
  publicOrigin: string,
): Promise<void> => {
  const html = Buffer.from(withPublicOrigin(readFileSync(file, 'utf8'), publicOrigin))
  const etag = `"${createHash('sha256').update(html).digest('base64url')}"`
  const [br, gz] = await Promise.all([promisify(brotliCompress)(html), promisify(gzip)(html)])
  const compressed = { br, gzip: gz }
  app.get(path, (request, reply) => {
    reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding', etag })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    const encoding = encodings.find((name) => accepts(request.headers['accept-encoding'], name))
    reply.type('text/html; charset=utf-8')
    if (encoding === undefined) return reply.send(html)
    return reply.header('content-encoding', encoding).send(compressed[encoding])
  })
}
