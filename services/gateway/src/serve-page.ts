import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { publicPages, type PagePreview } from '@portal/contracts/shared/page-paths'
import type { FastifyInstance } from 'fastify'
import { escapeHtml } from './escape-html.ts'
import type { ReadProgramPreview } from './program-preview.ts'

const sharedAddress = /(<meta\s+property="og:(?:url|image)"\s+content=")(\/[^"]*")/g

/** The page with absolute addresses for the sites that show a preview of a link to it. */
export const withPublicOrigin = (html: string, publicOrigin: string): string =>
  html.replaceAll(sharedAddress, (_tag, before: string, address: string) => before + publicOrigin + address)

const withMeta = (html: string, name: string, content: string): string =>
  html.replace(
    new RegExp(String.raw`(<meta\s+(?:name|property)="${name}"\s+content=")[^"]*(?=")`),
    (_tag, before: string) => before + escapeHtml(content),
  )

/** The page with the title and the texts that describe what is at `address`. An empty description leaves the general one. */
export const withPreview = (html: string, { title, description }: PagePreview, address: string): string => {
  const texts = { 'og:title': title, ...(description !== '' && { description, 'og:description': description }) }
  const titled = html.replace('<title>', () => `<title>${escapeHtml(title)} · `)
  return Object.entries({ ...texts, 'og:url': address }).reduce(
    (page, [name, content]) => withMeta(page, name, content),
    titled,
  )
}

const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

const accepts = (header: string | string[] | undefined, encoding: string): boolean =>
  [header ?? ''].flat().some((list) =>
    list.split(',').some((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      return name === encoding && !parameters.includes('q=0')
    }),
  )

type Page = {
  readonly etag: string
  bodyIn(encoding: Encoding | undefined): Promise<Buffer>
}

const brotliQuality = { default: constants.BROTLI_DEFAULT_QUALITY, quick: 5 }

const pageOf = (html: string, quality: keyof typeof brotliQuality): Page => {
  const body = Buffer.from(html)
  const params = { [constants.BROTLI_PARAM_QUALITY]: brotliQuality[quality] }
  return {
    etag: `"${createHash('sha256').update(body).digest('base64url')}"`,
    bodyIn: async (encoding) => {
      if (encoding === undefined) return body
      return encoding === 'br' ? promisify(brotliCompress)(body, { params }) : promisify(gzip)(body)
    },
  }
}

/** Compresses the page once, when it is first requested: 100 ms that a start would spend for each page. */
const keptPageOf = (html: string): Page => {
  const page = pageOf(html, 'default')
  const bodies = new Map<Encoding | undefined, Promise<Buffer>>()
  return {
    etag: page.etag,
    bodyIn: (encoding) => {
      const body = bodies.get(encoding) ?? page.bodyIn(encoding)
      bodies.set(encoding, body)
      return body
    },
  }
}

type ServedPage = {
  /** The built index.html. */
  readonly file: string
  readonly publicOrigin: string | undefined
  readonly readProgramPreview: ReadProgramPreview
}

/**
 * The page for each address. Only its head differs, for clients that run no script. The variants that the build has compressed lack
 * the head.
 */
const pagesOf = ({ file, publicOrigin = '', readProgramPreview }: ServedPage) => {
  const html = readFileSync(file, 'utf8')
  const completed = (preview: PagePreview, address: string): string =>
    withPublicOrigin(withPreview(html, preview, address), publicOrigin)
  const general = keptPageOf(withPublicOrigin(html, publicOrigin))
  const shared = new Map(
    Object.entries(publicPages).map(([address, preview]) => [address, keptPageOf(completed(preview, address))]),
  )
  return async (path: string, host: string | undefined) => {
    // As the router of the client compares it. The root leads to the landing page.
    const page = shared.get(path.toLowerCase().replace(/\/$/, '') || '/home')
    if (page) return { page, isListed: true }
    const program = await readProgramPreview(path, host)
    if (!program) return { page: general, isListed: false }
    return { page: pageOf(completed(program.preview, program.address), 'quick'), isListed: true }
  }
}

/** Serves the page at `path`, where `pageOrCall` (pages.ts) sends the requests of all pages. */
export const servePage = (app: FastifyInstance, path: string, served: ServedPage): void => {
  const pageAt = pagesOf(served)
  app.get(path, async (request, reply) => {
    const { headers, originalUrl } = request
    const [requestedPath = ''] = originalUrl.split('?')
    const { page, isListed } = await pageAt(requestedPath, headers.host)
    reply.headers({ 'cache-control': 'no-cache', vary: 'Accept, Accept-Encoding', etag: page.etag })
    // Search engines would list the same page once for each address.
    if (!isListed) reply.header('x-robots-tag', 'noindex')
    if (headers['if-none-match'] === page.etag) return reply.code(304).send()
    const encoding = encodings.find((name) => accepts(headers['accept-encoding'], name))
    if (encoding !== undefined) reply.header('content-encoding', encoding)
    return reply.type('text/html; charset=utf-8').send(await page.bodyIn(encoding))
  })
}
