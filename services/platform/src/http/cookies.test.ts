import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createCookies, readCookie } from './cookies.ts'

describe('the session cookie', () => {
  const written = async (headers: Record<string, string> = {}, publicOrigin?: string) => {
    const app = fastify()
    const cookies = createCookies(publicOrigin)
    app.get('/in', async (request, reply) => {
      cookies.setSession(request, reply, 'a.b.c', new Date('2026-03-01T10:00:00Z'))
      return {}
    })
    app.get('/out', async (request, reply) => {
      cookies.clearSession(request, reply)
      return {}
    })
    const [set, cleared] = [await app.inject({ url: '/in', headers }), await app.inject({ url: '/out', headers })]
    await app.close()
    return [set.headers['set-cookie'], cleared.headers['set-cookie']]
  }

  it('is out of reach of scripts and other sites, and ends with the session', async () => {
    expect(await written()).toEqual([
      'portal_session=a.b.c; Path=/; Expires=Sun, 01 Mar 2026 10:00:00 GMT; HttpOnly; SameSite=Lax',
      'portal_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ])
  })
  it('is for https alone where the portal is reached by it', async () => {
    for (const cookie of await written({ 'x-forwarded-proto': 'https, http' })) expect(cookie).toMatch(/; Secure$/)
    for (const cookie of await written({ 'x-forwarded-proto': 'http' })) expect(cookie).not.toContain('Secure')
    for (const cookie of await written({}, 'http://portal.example')) expect(cookie).not.toContain('Secure')
  })
  it('is for https alone where the public address is, also behind a proxy that does not tell the scheme', async () => {
    for (const headers of [{}, { 'x-forwarded-proto': 'http' }]) {
      for (const cookie of await written(headers, 'https://portal.example')) expect(cookie).toMatch(/; Secure$/)
    }
  })
})

describe('reading a cookie', () => {
  it('finds it by its whole name, wherever it stands', () => {
    expect(readCookie('session=1', 'session')).toBe('1')
    expect(readCookie('a=2; session=1', 'session')).toBe('1')
    expect(readCookie('a=2;session=1 ; b=3', 'session')).toBe('1')
    expect(readCookie('my_session=2; session=1', 'session')).toBe('1')
    expect(readCookie('session=1; session=2', 'session')).toBe('1')
  })
  it('finds none otherwise', () => {
    for (const header of [undefined, '', 'my_session=2', 'session', 'session=', 'session=; b=3', 'sessions=1']) {
      expect(readCookie(header, 'session')).toBeUndefined()
    }
  })
})
