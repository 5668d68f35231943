import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ReadProgramPreview } from './program-preview.ts'
import { servePage, withPreview, withPublicOrigin } from './serve-page.ts'

const page =
  '<title>Portal</title><meta name="description" content="General" /><meta property="og:title" content="General" />' +
  '<meta\n property="og:description"\n content="General"\n/>' +
  '<meta property="og:image" content="/share.png" /><meta property="og:url" content="/home" /><a href="/home">'

const inHead = (html: string) => ({
  title: /<title>(.*?)<\/title>/.exec(html)?.[1],
  ...Object.fromEntries(
    [...html.matchAll(/<meta\s+(?:name|property)="([^"]*)"\s+content="([^"]*)"/g)].map(([, name, text]) => [
      name,
      text,
    ]),
  ),
})
const general = {
  title: 'Portal',
  description: 'General',
  'og:title': 'General',
  'og:description': 'General',
  'og:image': 'https://portal.example/share.png',
  'og:url': 'https://portal.example/home',
}

it('completes only the addresses of the preview', () => {
  const shared = withPublicOrigin(page, 'https://portal.example')
  expect(inHead(shared)).toEqual(general)
  expect(shared).toContain('<a href="/home">')
  expect(withPublicOrigin(shared, 'https://portal.example')).toBe(shared)
})

describe('the preview of a page', () => {
  it('escapes what would be markup', () => {
    const hostile = `"><script>alert(1)</script>$& $1 '`
    const html = withPreview(page, { title: hostile, description: hostile }, '/x"y')
    const text = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;$&amp; $1 &#39;'
    expect(inHead(html)).toEqual({
      title: `${text} · Portal`,
      description: text,
      'og:title': text,
      'og:description': text,
      'og:image': '/share.png',
      'og:url': '/x&quot;y',
    })
  })

  it('has the general description if it has none of its own', () => {
    expect(inHead(withPreview(page, { title: 'Minor', description: '' }, '/x'))).toMatchObject({
      'og:title': 'Minor',
      description: 'General',
      'og:description': 'General',
    })
  })
})

describe('the page of a portal with a public origin', () => {
  let folder: string
  let app: FastifyInstance
  let program: Awaited<ReturnType<ReadProgramPreview>>
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'page-'))
    writeFileSync(join(folder, 'index.html'), page)
    mkdirSync(join(folder, 'pages'))
    for (const name of ['home', 'login'])
      writeFileSync(join(folder, 'pages', `${name}.html`), `${page}<h1>${name}</h1>`)
    program = 'not-found'
    app = fastify({ rewriteUrl: () => '/index.html' })
    servePage(app, '/index.html', {
      webDir: folder,
      publicOrigin: 'https://portal.example',
      readProgramPreview: async () => program,
    })
  })
  afterEach(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  const get = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
  const showProgram = () => {
    program = { preview: { title: 'AI & you', description: 'Learn.' }, address: '/program-details-inactives/7' }
  }

  it.each(['/home', '/notification/7', '/program-details-active/7'])(
    'is compressed as the client accepts it, at %s',
    async (url) => {
      showProgram()
      const { body } = await get(url)
      for (let request = 0; request < 2; request += 1) {
        const brotli = await get(url, { 'accept-encoding': 'gzip, deflate, br' })
        expect(brotli.headers['content-encoding']).toBe('br')
        expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(body)
        const zipped = await get(url, { 'accept-encoding': 'gzip, br;q=0' })
        expect(zipped.headers['content-encoding']).toBe('gzip')
        expect(gunzipSync(zipped.rawPayload).toString()).toBe(body)
      }
    },
  )

  it('is revalidated for each address on its own, and answers HEAD', async () => {
    showProgram()
    const urls = ['/home', '/login', '/program-details-active/7']
    const tags = await Promise.all(urls.map(async (url) => String((await get(url)).headers['etag'])))
    expect(new Set(tags).size).toBe(3)
    for (const [n, url] of urls.entries()) {
      const { headers } = await get(url)
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
      expect(headers['vary']).toContain('Accept')
      expect((await get(url, { 'if-none-match': tags[n] ?? '' })).statusCode).toBe(304)
      expect((await get(url, { 'if-none-match': tags[(n + 1) % 3] ?? '' })).statusCode).toBe(200)
      expect((await app.inject({ method: 'HEAD', url })).statusCode).toBe(200)
    }
  })

  it.each([
    ['/home', 'Add a Minor to your degree', '/home'],
    ['/?utm_source=whatsapp', 'Add a Minor to your degree', '/home'],
    ['/Login/?from=mail', 'Welcome back', '/login'],
    ['/register', 'Create Account', '/register'],
    ['/reset-password?token=secret', 'Reset Password', '/reset-password'],
    ['/terms', 'Terms', '/terms'],
    ['/privacy', 'Privacy policy', '/privacy'],
  ])('has a preview of its own at %s', async (url, title, address) => {
    const { body, headers } = await get(url)
    const head = inHead(body)
    expect(head).toMatchObject({
      title: `${title} · Portal`,
      'og:title': title,
      'og:url': `https://portal.example${address}`,
      'og:image': 'https://portal.example/share.png',
    })
    expect(head['og:description']).toBe(head['description'])
    expect(head['description']).not.toBe('General')
    expect(body).not.toContain('secret')
    expect(headers['x-robots-tag']).toBeUndefined()
  })

  it.each([
    ['/home', '<h1>home</h1>'],
    ['/login/?from=mail', '<h1>login</h1>'],
    // Visitors are led from there to the login page.
    ['/', '<h1>login</h1>'],
  ])('has what the build has rendered for %s', async (url, rendered) => {
    expect((await get(url)).body).toContain(rendered)
  })

  it.each(['/register', '/notification/7', '/pages/home.html'])('has nothing rendered for %s', async (url) => {
    expect((await get(url)).body).not.toContain('<h1>')
  })

  it('is listed by search engines while the catalog does not tell its preview', async () => {
    program = 'not-read'
    const { body, headers } = await get('/program-details-active/7')
    expect(inHead(body)).toEqual(general)
    expect(headers['x-robots-tag']).toBeUndefined()
  })

  it('follows the program, of which it keeps the newest page', async () => {
    showProgram()
    const path = '/program-details-active/7'
    const first = await get(path)
    expect((await get(path)).headers['etag']).toBe(first.headers['etag'])
    program = { preview: { title: 'AI and you', description: 'Learn.' }, address: '/program-details-inactives/7' }
    const { body, headers } = await get(path)
    expect(inHead(body)).toMatchObject({ 'og:title': 'AI and you' })
    expect(headers['etag']).not.toBe(first.headers['etag'])
  })

  it("has a program's preview", async () => {
    showProgram()
    expect(inHead((await get('/program-details-active/7')).body)).toEqual({
      ...general,
      title: 'AI &amp; you · Portal',
      'og:title': 'AI &amp; you',
      description: 'Learn.',
      'og:description': 'Learn.',
      'og:url': 'https://portal.example/program-details-inactives/7',
    })
  })

  it.each(['/notification/7', '/admin/people/7', '/program-details-active/unknown', '/no/such/page'])(
    'has the general preview at %s, which search engines do not list',
    async (url) => {
      const { body, headers } = await get(url)
      expect(inHead(body)).toEqual(general)
      expect(headers['x-robots-tag']).toBe('noindex')
    },
  )
})
