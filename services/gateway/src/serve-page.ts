import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
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
  readonly html: string
  readonly etag: string
  bodyIn(encoding: Encoding | undefined): Promise<Buffer>
}

const compressions = { br: promisify(brotliCompress), gzip: promisify(gzip) }

/** Compresses the page once, when it is first requested: 100 ms that a start would spend for each page. */
const pageOf = (html: string): Page => {
  const plain = Buffer.from(html)
  const bodies = new Map<Encoding, Promise<Buffer>>()
  return {
    html,
    etag: `"${createHash('sha256').update(plain).digest('base64url')}"`,
    bodyIn: async (encoding) => {
      if (encoding === undefined) return plain
      const body = bodies.get(encoding) ?? compressions[encoding](plain)
      bodies.set(encoding, body)
      return body
    },
  }
}

/** Room for all programs of the portal and their changes. */
const maxProgramPages = 200

/** The newest page of each program. */
const programPagesOf = () => {
  const pages = new Map<string, Page>()
  return (address: string, html: string): Page => {
    const known = pages.get(address)
    if (known?.html === html) return known
    const page = pageOf(html)
    pages.delete(address)
    pages.set(address, page)
    const [oldest] = pages.keys()
    if (pages.size > maxProgramPages && oldest !== undefined) pages.delete(oldest)
    return page
  }
}

type ServedPage = {
  /** The built web client. */
  readonly webDir: string
  readonly publicOrigin: string | undefined
  readonly readProgramPreview: ReadProgramPreview
}

/** The built page of `path`: the one that the build has rendered (web/build/prerender.ts), or the one of all other paths. */
const builtPage = (webDir: string, path: string): string => {
  const rendered = join(webDir, `pages${path}.html`)
  return readFileSync(existsSync(rendered) ? rendered : join(webDir, 'index.html'), 'utf8')
}

/** The page for each address. The variants that the build has compressed lack what is added to the head. */
const pagesOf = ({ webDir, publicOrigin = '', readProgramPreview }: ServedPage) => {
  const html = builtPage(webDir, '/index')
  const completed = (page: string, preview: PagePreview, address: string): string =>
    withPublicOrigin(withPreview(page, preview, address), publicOrigin)
  const general = pageOf(withPublicOrigin(html, publicOrigin))
  const shared = new Map(
    Object.entries(publicPages).map(([address, preview]) => [
      address,
      pageOf(completed(builtPage(webDir, address), preview, address)),
    ]),
  )
  // The client leads visitors from the root to the login page, and search engines list the landing page.
  const { '/home': landing } = publicPages
  if (landing) shared.set('', pageOf(completed(builtPage(webDir, '/login'), landing, '/home')))
  const ofProgram = programPagesOf()
  return async (path: string, host: string | undefined) => {
    // As the router of the client compares it.
    const page = shared.get(path.toLowerCase().replace(/\/$/, ''))
    if (page) return { page, isListed: true }
    const found = await readProgramPreview(path, host)
    if (typeof found === 'string') return { page: general, isListed: found === 'not-read' }
    return { page: ofProgram(found.address, completed(html, found.preview, found.address)), isListed: true }
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
