import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { servePage, withPublicOrigin } from './serve-page.ts'

const page =
  '<meta property="og:image" content="/share.png" /><meta property="og:url" content="/home" /><a href="/home">'
const shared =
  '<meta property="og:image" content="https://portal.example/share.png" /><meta property="og:url" content="https://portal.example/home" /><a href="/home">'

it('completes only the addresses of the preview', () => {
  expect(withPublicOrigin(page, 'https://portal.example')).toBe(shared)
  expect(withPublicOrigin(shared, 'https://portal.example')).toBe(shared)
})

describe('the page of a portal with a public origin', () => {
  let folder: string
  let app: FastifyInstance
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'page-'))
    writeFileSync(join(folder, 'index.html'), page)
    app = fastify()
    await servePage(app, join(folder, 'index.html'), '/index.html', 'https://portal.example')
  })
  afterEach(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })
  const get = (headers: Record<string, string> = {}) => app.inject({ url: '/index.html', headers })

  it('is compressed as the client accepts it', async () => {
    expect((await get()).body).toBe(shared)
    const brotli = await get({ 'accept-encoding': 'gzip, deflate, br' })
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(shared)
    const zipped = await get({ 'accept-encoding': 'gzip, br;q=0' })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(shared)
  })

  it('is revalidated, and answers HEAD', async () => {
    const { headers } = await get()
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    expect(headers['vary']).toContain('Accept')
    expect((await get({ 'if-none-match': String(headers['etag']) })).statusCode).toBe(304)
    expect((await app.inject({ method: 'HEAD', url: '/index.html' })).statusCode).toBe(200)
  })
})
