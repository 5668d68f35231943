import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingHttpHeaders, request as startRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { scriptedStyles } from '@portal/contracts/shared/scripted-styles'
import { defineRoute, doneSchema } from '@portal/contracts/shared/route'
import { ok } from '@portal/platform/decider/decider'
import { makeBindRoute } from '@portal/platform/http/bind-route'
import { createHttpApp } from '@portal/platform/http/create-app'
import { type HealthReport, makeHealth } from '@portal/platform/observability/health'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newMailboxKey } from './dev-mailbox.ts'
import { type EdgeOptions, setUpEdge } from './edge.ts'
import { mailboxPage, timeAgo } from './mailbox-page.ts'
import { logo } from './page-style.ts'
import { pageOrCall } from './pages.ts'

const call = (method: 'GET' | 'POST') =>
  defineRoute({ method, path: '/admin/programs', access: 'public', summary: 'Programs', response: doneSchema })

const chromeNavigation = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
}
const page = '<!doctype html><div id="root"></div>'

const key = newMailboxKey()

let folder: string
let app: FastifyInstance
let isStoreUp: boolean

const start = async (webDir: string, options: Partial<EdgeOptions> = {}): Promise<FastifyInstance> => {
  const logger = pino({ level: 'silent' })
  const health = makeHealth(
    [
      {
        name: 'eventStore',
        isCritical: true,
        check: () => (isStoreUp ? Promise.resolve() : Promise.reject(new Error('gone'))),
      },
    ],
    logger,
  )
  const started = createHttpApp({ logger, publicOrigin: 'https://portal.example', rewriteUrl: pageOrCall(webDir) })
  await setUpEdge(started, { webDir, health, ...options })
  const bind = makeBindRoute({ sessions: { verify: async () => undefined }, validateResponses: true })
  for (const method of ['GET', 'POST'] as const) {
    bind(started, call(method), async () => ok({ success: true, message: 'the call' } as const))
  }
  return started
}

beforeEach(async () => {
  isStoreUp = true
  folder = mkdtempSync(join(tmpdir(), 'edge-'))
  for (const inner of ['assets', 'media']) mkdirSync(join(folder, 'dist', inner), { recursive: true })
  const files = {
    'index.html': page,
    'color-scheme.js': 'scheme()',
    'sw.js': 'keep()',
    'manifest.webmanifest': '{}',
    'media/talk.vtt': 'WEBVTT',
    'assets/index-Ab12.js': 'code()'.repeat(100),
    'assets/index-Ab12.js.br': 'pretend this is Brotli',
    '.secret': 'x',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, 'dist', name), content)
  app = await start(join(folder, 'dist'), { mailbox: { file: join(folder, 'outbox.jsonl'), key } })
})
afterEach(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

describe('a path that is both page and call', () => {
  it('returns the page for a navigation to any path', async () => {
    for (const url of [
      '/',
      '/admin/programs',
      '/admin/programs?page=2',
      '/notification/7',
      '/no/such/page',
      '/development',
      // The client redirects from there.
      '/assets/gone-Xy.js',
      '/dev/none',
      '/media/none.mp4',
    ]) {
      const answer = await app.inject({ url, headers: chromeNavigation })
      expect([url, answer.statusCode, answer.body]).toEqual([url, 200, page])
      expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
      expect(answer.headers['vary']).toContain('Accept')
    }
  })
  it('returns the page for every client where no call has the path, whatever the query', async () => {
    for (const url of ['/', '/?utm_source=whatsapp', '/home', '/login?x=1', '/program-details-active/7', '/profile/'])
      for (const accept of ['*/*', 'application/json', undefined])
        for (const method of ['GET', 'HEAD'] as const) {
          const answer = await app.inject({ method, url, headers: accept === undefined ? {} : { accept } })
          expect([url, accept, answer.statusCode, answer.headers['content-type'], answer.body]).toEqual([
            url,
            accept,
            200,
            'text/html; charset=utf-8',
            method === 'GET' ? page : '',
          ])
        }
  })
  it('returns the call for any other request', async () => {
    for (const accept of ['application/json', '*/*', undefined]) {
      const answer = await app.inject({ url: '/admin/programs', headers: accept === undefined ? {} : { accept } })
      expect(answer.json()).toEqual({ success: true, message: 'the call' })
      expect(answer.headers).toMatchObject({ vary: 'Accept', 'x-content-type-options': 'nosniff' })
    }
  })
  it('answers HEAD as it answers GET, without the body', async () => {
    const urls = ['/', '/admin/programs', '/health', '/health/ready', '/docs/', '/docs/json', '/sw.js', '/no/such/call']
    for (const url of urls) {
      const [get, head] = [await app.inject({ method: 'GET', url }), await app.inject({ method: 'HEAD', url })]
      expect([url, head.statusCode, head.body]).toEqual([url, get.statusCode, ''])
      expect({ url, headers: Object.keys(head.headers).toSorted() }).toEqual({
        url,
        headers: Object.keys(get.headers).toSorted(),
      })
      expect([url, head.headers['content-length']]).toEqual([url, get.headers['content-length']])
    }
  })
  it('treats a write as a call for any Accept header', async () => {
    const answer = await app.inject({ method: 'POST', url: '/admin/programs', headers: chromeNavigation })
    expect(answer.json()).toEqual({ success: true, message: 'the call' })
  })
  it('responds to unknown calls with a problem', async () => {
    const requests = [
      { method: 'GET', url: '/no/such/call' },
      { method: 'GET', url: '/assets/gone-Xy.js', headers: { accept: '*/*' } },
      { method: 'GET', url: '/dev/none' },
      { method: 'GET', url: '/.well-known/none', headers: chromeNavigation },
      { method: 'POST', url: '/no/such/call', headers: chromeNavigation },
      { method: 'DELETE', url: '/admin/programs' },
      { method: 'TRACE', url: '/' },
      { method: 'GET', url: '/.secret' },
      { method: 'GET', url: `/x${'y'.repeat(5_000)}` },
    ] as const
    for (const request of requests) {
      const answer = await app.inject(request)
      expect([request.url.slice(0, 50), answer.statusCode]).toEqual([request.url.slice(0, 50), 404])
      expect(answer.json()).toEqual({ success: false, code: 'not-found', message: 'There is no such call' })
    }
  })
  it('responds to malformed paths with a problem, and never leaves the folder', async () => {
    writeFileSync(join(folder, 'outside.txt'), 'outside')
    for (const url of [
      '/%zz',
      '/assets/%2e%2e/%2e%2e/outside.txt',
      '/..%2foutside.txt',
      '/assets/..\\..\\outside.txt',
      '//x',
      '/%00',
    ]) {
      const answer = await app.inject({ url })
      expect([url, Math.floor(answer.statusCode / 100)]).toEqual([url, 4])
      expect(answer.json()).toMatchObject({ success: false })
    }
  })
})

describe('files', () => {
  it('with a hash in their name are cached forever; others are revalidated', async () => {
    const asset = await app.inject({ url: '/assets/index-Ab12.js', headers: chromeNavigation })
    expect(asset.body).toContain('code()')
    // They are for documents and workers, and a first visit loads many files.
    for (const header of ['content-security-policy', 'permissions-policy'])
      expect(asset.headers).not.toHaveProperty([header])
    expect(asset.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const other = await app.inject({ url: '/color-scheme.js', headers: chromeNavigation })
    expect(other.body).toBe('scheme()')
    expect(other.headers['cache-control']).toBe('no-cache')
    const etag = String(other.headers.etag)
    const again = await app.inject({ url: '/color-scheme.js', headers: { 'if-none-match': etag } })
    expect(again.statusCode).toBe(304)
  })
  it('that browsers request on their own are not pages', async () => {
    const answer = await app.inject({ url: '/media/talk.vtt', headers: chromeNavigation })
    expect([answer.statusCode, answer.body]).toEqual([200, 'WEBVTT'])
  })
  it('that keep their name across builds are revalidated', async () => {
    for (const [url, type] of [
      ['/sw.js', 'javascript'],
      ['/manifest.webmanifest', 'application/manifest+json'],
    ] as const) {
      const { headers } = await app.inject({ url })
      expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': expect.stringContaining(type) })
    }
  })
  it('are sent compressed if the build has a compressed variant', async () => {
    const answer = await app.inject({ url: '/assets/index-Ab12.js', headers: { 'accept-encoding': 'gzip, br' } })
    expect(answer.headers['content-encoding']).toBe('br')
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.headers['vary']).toContain('accept-encoding')
  })
  it('that were not built return a problem', async () => {
    const bare = await start(join(folder, 'nothing-here'))
    const answer = await bare.inject({ url: '/login', headers: chromeNavigation })
    expect(answer.body).toContain('has not been built')
    expect((await bare.inject({ url: '/admin/programs' })).json()).toMatchObject({ message: 'the call' })
    expect((await bare.inject({ url: '/none' })).statusCode).toBe(404)
    await bare.close()
  })
})

describe('the content security policy', () => {
  it('allows code from the portal only, and connections to its sockets', async () => {
    const { headers } = await app.inject({ url: '/login', headers: { ...chromeNavigation, host: 'portal.local:3000' } })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self' ws://portal.local:3000 wss://portal.local:3000;")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('upgrade-insecure-requests')
    expect(headers).toMatchObject({
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': expect.stringMatching(
        /camera=\(\).*publickey-credentials-create=\(self\), publickey-credentials-get=\(self\)/,
      ),
    })
    expect(policy).toContain("base-uri 'none';")
  })
  it("allows the pages' own inline scripts and styles, those that scripts add, and no others", async () => {
    const hashed = (inline: string) => `'sha256-${createHash('sha256').update(inline).digest('base64')}'`
    const script = "document.documentElement.setAttribute('data-scheme', 'dark')"
    const index = `<script src="/a.js"></script><script>${script}</script><style>a{color:red}</style>${page}`
    writeFileSync(join(folder, 'dist', 'index.html'), index)
    mkdirSync(join(folder, 'dist', 'pages'), { recursive: true })
    const rendered = `<script>${script}</script><style data-emotion="css 1">b{color:red}</style>${page}`
    writeFileSync(join(folder, 'dist', 'pages', 'login.html'), rendered)
    await app.close()
    app = await start(join(folder, 'dist'))
    const { headers } = await app.inject({ url: '/login', headers: chromeNavigation })
    expect(headers['content-security-policy']).toContain(`script-src 'self' ${hashed(script)};`)
    const styles = ['a{color:red}', 'b{color:red}', ...Object.values(scriptedStyles)].map(hashed).join(' ')
    expect(headers['content-security-policy']).toContain(`style-src-elem 'self' ${styles};`)
  })
  it('allows connections to the push provider if the portal has one', async () => {
    await app.close()
    app = await start(join(folder, 'dist'), { registersForPush: true })
    const { headers } = await app.inject({ url: '/login', headers: { ...chromeNavigation, host: 'portal.local' } })
    expect(headers['content-security-policy']).toContain(
      "connect-src 'self' ws://portal.local wss://portal.local " +
        'https://fcmregistrations.googleapis.com https://firebaseinstallations.googleapis.com;',
    )
  })
  it('ignores directives in a Host header', async () => {
    const { headers } = await app.inject({
      url: '/login',
      headers: { ...chromeNavigation, host: "x; script-src 'unsafe-inline'" },
    })
    expect(String(headers['content-security-policy'])).not.toContain("script-src 'unsafe-inline'")
  })
  it('covers the API documentation, which has the name, version and logo of the portal, and says how to start', async () => {
    const ui = await app.inject({ url: '/docs/', headers: chromeNavigation })
    expect(String(ui.headers['content-security-policy'])).toContain("script-src 'self'")
    for (const part of ['swagger-ui', '<title>Minor Programs API</title>', 'theme/favicon.svg'])
      expect(ui.body).toContain(part)
    expect((await app.inject({ url: '/docs/static/theme/favicon.svg' })).body).toBe(logo)
    const script = (await app.inject({ url: '/docs/static/swagger-initializer.js' })).body
    expect(script).toContain(Buffer.from(logo).toString('base64'))
    const document = await app.inject({ url: '/docs/json' })
    expect(document.json()).toMatchObject({ paths: { '/admin/programs': { get: {} } } })
    expect(document.body).not.toContain('Default Response')
    const { info } = z
      .object({ info: z.object({ title: z.string(), version: z.string(), description: z.string() }) })
      .parse(document.json())
    expect([info.title, info.version]).toEqual(['Minor Programs API', expect.stringMatching(/^\d+\.\d+\.\d+$/)])
    const [, shell = ''] = info.description.split('```sh\n')
    const lines = (shell.split('\n```')[0] ?? '').split('\n')
    expect(lines.map((line) => line.match(/http:\/\/localhost:3000(\S+)/)?.[1])).toEqual([
      '/auth/login',
      '/notifications/recent',
      '/notifications/send',
    ])
  })
  it('omits the API documentation if it is disabled', async () => {
    const quiet = await start(join(folder, 'dist'), { docs: false })
    for (const url of ['/docs', '/docs/', '/docs/json', '/docs/static/index.html']) {
      expect([url, (await quiet.inject({ url })).statusCode]).toEqual([url, 404])
    }
    await quiet.close()
  })
  it('allows nothing in what is no page', async () => {
    for (const url of ['/admin/programs', '/health', '/health/ready', '/no/such/call', '/%zz']) {
      const { headers } = await app.inject({ url })
      expect({ url, ...headers }).toMatchObject({
        url,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cross-origin-resource-policy': 'same-origin',
      })
    }
  })
})

describe('/health', () => {
  it('[G-54] shows the state of each part, also to browsers, and by its status', async () => {
    const up = await app.inject({ url: '/health', headers: chromeNavigation })
    expect([up.statusCode, up.json<HealthReport>()]).toEqual([
      200,
      { status: 'ok', parts: { eventStore: 'ok' }, discontinuities: [], unreadableEvents: [], reasons: [] },
    ])
    isStoreUp = false
    const down = await app.inject({ url: '/health' })
    expect([down.statusCode, down.json<HealthReport>()]).toEqual([
      503,
      { status: 'down', parts: { eventStore: 'down' }, discontinuities: [], unreadableEvents: [], reasons: [] },
    ])
  })
})

describe('/dev/outbox', () => {
  const at = '2026-03-01T10:00:00.000Z'
  const write = (...lines: object[]) => {
    for (const line of lines) appendFileSync(join(folder, 'outbox.jsonl'), `${JSON.stringify(line)}\n`)
  }
  let port: number
  beforeEach(async () => {
    await app.listen({ host: '127.0.0.1', port: 0 })
    port = Number(new URL(app.listeningOrigin).port)
  })
  const browser = {
    ...chromeNavigation,
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0',
    'sec-fetch-site': 'none',
  }

  /** Calls over a real connection, because access depends on Host and port. */
  const get = (headers: Readonly<Record<string, string>> = {}, path = `/dev/outbox/${key}`) =>
    new Promise<{ readonly status: number; readonly body: string; readonly headers: IncomingHttpHeaders }>(
      (resolve, reject) => {
        startRequest(
          { host: '127.0.0.1', port, path, headers: { host: `localhost:${port}`, ...headers } },
          (answer) => {
            text(answer).then(
              (body) => resolve({ status: answer.statusCode ?? 0, body, headers: answer.headers }),
              reject,
            )
          },
        )
          .on('error', reject)
          .end()
      },
    )
  const statusFor = async (headers: Readonly<Record<string, string>>, path?: string) =>
    (await get(headers, path)).status
  const json = async () => z.array(z.object({ to: z.string() }).loose()).parse(JSON.parse((await get()).body))
  const html = async () => (await get(browser)).body

  it('is empty before anything was sent', async () => {
    expect(await json()).toEqual([])
    expect(await html()).toContain('Nothing has been sent yet.')
  })
  it('shows the newest message first and skips an incomplete line', async () => {
    const first = { at, channel: 'email', to: 'ann@example.com', subject: 'Your code', text: 'It is', code: '123456' }
    const second = { at, channel: 'sms', to: '9876543210', text: 'Hello' }
    write(first, second)
    appendFileSync(join(folder, 'outbox.jsonl'), '{"at":"2026-')
    expect(await json()).toEqual([second, first])
    expect((await html()).indexOf('9876543210')).toBeLessThan((await html()).indexOf('<code>123456</code>'))
  })
  it('shows codes in large figures with a button that copies them, and how long ago they were sent', async () => {
    const now = new Date('2026-03-01T10:00:12.000Z')
    const shown = mailboxPage([{ at, channel: 'email', to: 'ann@example.com', text: 'It is', code: '123456' }], now)
    expect(shown).toContain(
      '<code>123456</code> <button type="button" class="copy" data-copy="123456" aria-label="Copy code">',
    )
    expect(shown).toContain(`<time datetime="${at}">12 s ago</time>`)
    expect(shown).toContain('Messages appear here until a provider is configured.')
    const ago = (seconds: number) => timeAgo(at, new Date(Date.parse(at) + seconds * 1_000))
    expect([0, 59, 60, 3_599, 3_600].map(ago)).toEqual([
      'just now',
      '59 s ago',
      '1 min ago',
      '59 min ago',
      '2026-03-01 10:00',
    ])
  })
  it('has its script in a file, as the content security policy demands', async () => {
    expect(await html()).toContain('<script src="/dev/outbox/page.js" defer></script>')
    expect(await html()).not.toMatch(/<script>| on\w+=/)
    const { status, headers, body } = await get(browser, '/dev/outbox/page.js')
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(body).toContain('navigator.clipboard')
  })
  it('shows the last 200 messages of a file of any size', async () => {
    const long = 'x'.repeat(20_000)
    write(...Array.from({ length: 300 }, (_, i) => ({ at, channel: 'sms', to: String(i), text: i < 200 ? long : 'y' })))
    const shown = await json()
    expect(shown.slice(0, 2).map(({ to }) => to)).toEqual(['299', '298'])
    expect(shown.length).toBeGreaterThan(100)
    write(...Array.from({ length: 300 }, () => ({ at, channel: 'sms', to: 'z', text: 'y' })))
    expect(await json()).toHaveLength(200)
  })
  it('escapes hostile text', async () => {
    const hostile = `"><img src=x onerror='alert(1)'>`
    write({
      at,
      channel: 'email',
      to: hostile,
      subject: hostile,
      text: hostile,
      code: hostile,
      link: 'javascript:alert(1)',
    })
    write({ at, channel: 'push', to: 't', text: 'x', link: '/notification/7' })
    const body = await html()
    expect(body).not.toContain('<img')
    expect(body).not.toContain('href="javascript')
    expect(body).toContain('<a href="/notification/7">')
  })
  it('is there for this machine only', async () => {
    const addresses = ['192.0.2.2', '10.1.2.3', '::ffff:192.168.1.5', '2001:db8::1']
    const answers = await Promise.all(
      addresses.map((remoteAddress) => app.inject({ url: `/dev/outbox/${key}`, remoteAddress, headers: browser })),
    )
    expect(answers.map((answer) => [answer.statusCode, answer.json<{ message: string }>().message])).toEqual(
      addresses.map(() => [404, 'There is no such call']),
    )
  })
  it('opens at its full URL, for a person or a program on this machine', async () => {
    for (const name of ['localhost', '127.0.0.1', '[::1]'])
      expect(await statusFor({ host: `${name}:${port}` })).toBe(200)
    expect(await statusFor(browser)).toBe(200)
    expect(await statusFor({ ...browser, 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect((await get(browser)).headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    })
  })
  it('requires its key', async () => {
    for (const path of [
      '/dev/outbox',
      '/dev/outbox/',
      '/dev/outbox/x',
      `/dev/outbox/${key}x`,
      `/dev/outbox/${newMailboxKey()}`,
    ]) {
      expect([path, await statusFor(browser, path)]).toEqual([path, 404])
    }
  })
  it('rejects other names of this machine, other pages, and requests through a proxy on this machine', async () => {
    const hosts = ['evil.example', `evil.example:${port}`, 'localhost', 'localhost:1', `localhost.evil.example:${port}`]
    const requests: Readonly<Record<string, string>>[] = [
      ...[...hosts, `10.0.0.1:${port}`].map((host) => ({ ...browser, host })),
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'user-agent': 'Mozilla/5.0 Safari/600' },
      { origin: 'http://evil.example' },
      { referer: 'http://evil.example/' },
      ...['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].map((name) => ({ [name]: '127.0.0.1' })),
    ]
    const statuses = await Promise.all(requests.map(async (headers) => [headers, await statusFor(headers)]))
    expect(statuses).toEqual(requests.map((headers) => [headers, 404]))
  })
  it('does not exist unless enabled', async () => {
    const quiet = await start(join(folder, 'dist'))
    expect((await quiet.inject({ url: `/dev/outbox/${key}`, headers: chromeNavigation })).statusCode).toBe(404)
    await quiet.close()
  })
})
