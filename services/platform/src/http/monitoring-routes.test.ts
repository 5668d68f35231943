import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { createHttpApp } from './create-app.ts'
import { noObservability } from '../observability/observability.ts'
import { WriteFailedError } from '../event-store/errors.ts'
import { makeHealth } from '../observability/health.ts'
import { serveHealth, serveMetrics } from './monitoring-routes.ts'

const token = 'a-token-of-the-scraper'
const appWith = (known?: string) => {
  const observability = noObservability()
  const app = createHttpApp({ logger: pino({ level: 'silent' }), trustProxy: 1, observability })
  serveMetrics(app, { metrics: observability.metrics, token: known })
  app.get('/things/:id', async () => 'a thing')
  app.get('/broken', async () => {
    throw new Error('broken')
  })
  return app
}

describe('/health', () => {
  it('[O7] gives the reason to operators only', async () => {
    const app = createHttpApp({ logger: pino({ level: 'silent' }), trustProxy: 1 })
    const check = async () => {
      throw new WriteFailedError(new Error('database or disk is full'))
    }
    serveHealth(app, makeHealth([{ name: 'event-store', isCritical: true, check }], pino({ level: 'silent' })))
    const reasonsFor = async (remoteAddress: string, headers: Readonly<Record<string, string>> = {}) =>
      (await app.inject({ url: '/health', remoteAddress, headers })).json().reasons
    expect(await reasonsFor('127.0.0.1')).toEqual([
      'event-store: The event store cannot write (database or disk is full)',
    ])
    expect(await reasonsFor('8.8.8.8')).toEqual([])
    expect(await reasonsFor('127.0.0.1', { 'x-forwarded-for': '8.8.8.8' })).toEqual([])
  })
})

describe('/metrics', () => {
  const statusFor = async (
    remoteAddress: string,
    headers: Readonly<Record<string, string>> = {},
    known?: string,
  ): Promise<number> => (await appWith(known).inject({ url: '/metrics', remoteAddress, headers })).statusCode

  it('is for neighbors, but not with a token set or through a proxy', async () => {
    const near = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.31.0.9', '192.168.4.4', 'fd00::7']
    for (const address of near) {
      expect([address, await statusFor(address)]).toEqual([address, 200])
      expect([address, await statusFor(address, {}, token)]).toEqual([address, 404])
    }
    for (const address of ['8.8.8.8', '172.32.0.1', '2001:db8::1'])
      expect([address, await statusFor(address)]).toEqual([address, 404])
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      expect([name, await statusFor('127.0.0.1', { [name]: '127.0.0.1' })]).toEqual([name, 404])
  })
  it('is hidden from a page with another host name', async () => {
    for (const host of ['evil.example', 'evil.example:3000']) expect(await statusFor('127.0.0.1', { host })).toBe(404)
    for (const host of ['localhost:3000', '10.1.2.3:3000', '[::1]:3000', 'gateway-1:3000']) {
      expect([host, await statusFor('127.0.0.1', { host })]).toEqual([host, 200])
    }
  })
  it('accepts the token from any address', async () => {
    const bearing = (given: string) => ({ authorization: `Bearer ${given}`, 'x-forwarded-for': '8.8.8.8' })
    expect(await statusFor('8.8.8.8', bearing(token), token)).toBe(200)
    expect(await statusFor('8.8.8.8', {}, token)).toBe(404)
    expect(await statusFor('8.8.8.8', bearing(`${token}x`), token)).toBe(404)
    expect(await statusFor('8.8.8.8', bearing(token))).toBe(404)
  })

  it('counts requests by route template, method and status class', async () => {
    const app = appWith()
    await app.inject('/things/1')
    await app.inject('/things/2')
    await app.inject({ url: '/broken' })
    const { body, headers } = await app.inject('/metrics')
    expect(headers['content-type']).toContain('text/plain; version=0.0.4')
    const count = 'portal_http_request_duration_seconds_count'
    expect(body).toContain(`${count}{method="GET",route="/things/:id",status="2xx"} 2\n`)
    expect(body).toContain(`${count}{method="GET",route="/broken",status="5xx"} 1\n`)
    expect(body).not.toContain('/things/1')
  })
})
