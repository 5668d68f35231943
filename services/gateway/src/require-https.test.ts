import type { IncomingMessage } from 'node:http'
import { createHttpApp } from '@portal/platform/http/create-app'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { pagePath } from './pages.ts'
import { httpsRequirementOf, requireHttps } from './require-https.ts'

let app: FastifyInstance | undefined
afterEach(() => app?.close())

const start = (publicOrigin = 'https://portal.example', trustProxy = 'loopback') => {
  const rewriteUrl = ({ url = '/', headers }: IncomingMessage) => (headers.accept === 'text/html' ? pagePath : url)
  const started = createHttpApp({ logger: pino({ level: 'silent' }), trustProxy, publicOrigin, rewriteUrl })
  const requirement = httpsRequirementOf({ publicOrigin, trustProxy })
  if (requirement) requireHttps(started, requirement)
  started.get(pagePath, async () => 'page')
  started.get('/user/profile', async () => 'call')
  started.post('/auth/login', async () => 'call')
  app = started
  return (method: 'GET' | 'POST', url: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') =>
    started.inject({ method, url, remoteAddress, headers: { host: 'portal.example', ...headers } })
}
const plain = { 'x-forwarded-proto': 'http' }

describe('a request that reached the proxy over plain http', () => {
  it('is redirected to https if it is for a page, and only to the public URL', async () => {
    const answer = await start()('GET', '/programs/1?x=2', { ...plain, host: 'evil.example', accept: 'text/html' })
    expect(answer.statusCode).toBe(308)
    expect(answer.headers.location).toBe('https://portal.example/programs/1?x=2')
    const odd = await start()('GET', '//evil.example/x', { ...plain, accept: 'text/html' })
    expect(odd.headers.location).toMatch(/^https:\/\/portal\.example\//)
  })

  it('is rejected if it is a call, so that no client keeps sending tokens in clear text', async () => {
    const send = start()
    for (const [method, url] of [
      ['GET', '/user/profile'],
      ['POST', '/auth/login'],
    ] as const) {
      const answer = await send(method, url, plain)
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toMatchObject({ code: 'forbidden', message: 'The portal is available over https only' })
    }
  })
})

it('serves a request that came by https, or where nothing says that it did not', async () => {
  const https = 'https://portal.example'
  for (const [publicOrigin, trustProxy, headers] of [
    [https, 'loopback', { 'x-forwarded-proto': 'https' }],
    [https, 'loopback', {}],
    [https, '10.0.0.1', plain],
    ['http://portal.example', 'loopback', plain],
  ] as const) {
    const send = start(publicOrigin, trustProxy)
    const [call, page] = [send('GET', '/user/profile', headers), send('GET', '/', { ...headers, accept: 'text/html' })]
    const statuses = [(await call).statusCode, (await page).statusCode]
    expect([publicOrigin, trustProxy, headers, ...statuses]).toEqual([publicOrigin, trustProxy, headers, 200, 200])
    await app?.close()
  }
})
