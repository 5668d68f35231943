import { fastify } from 'fastify'
import { describe, expect, it } from 'vitest'
import { createCookies, readCookie } from './cookies.ts'
import { credentialsOf } from './session.ts'

describe('the session cookie', () => {
  const written = async (headers: Record<string, string> = {}, publicOrigin?: string, trustProxy = true) => {
    const app = fastify({ trustProxy })
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

  it('is HttpOnly and SameSite, and expires with the session', async () => {
    expect(await written()).toEqual([
      'portal_session=a.b.c; Path=/; Expires=Sun, 01 Mar 2026 10:00:00 GMT; HttpOnly; SameSite=Lax',
      'portal_session=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax',
    ])
  })
  it('is limited to this host and https if the request uses https', async () => {
    const [set, cleared] = await written({ 'x-forwarded-proto': 'https' })
    expect(set).toMatch(/^__Host-portal_session=a\.b\.c; Path=\/; .*; Secure$/)
    expect(set).not.toContain('Domain')
    // Also the one without the prefix, which an earlier login may have set.
    expect(cleared).toEqual([
      expect.stringMatching(/^__Host-portal_session=; Path=\/; .*1970.*; Secure$/),
      expect.stringMatching(/^portal_session=; Path=\/; .*1970.*; Secure$/),
    ])
    for (const cookie of await written({ 'x-forwarded-proto': 'http' })) expect(cookie).not.toContain('Secure')
    for (const cookie of await written({}, 'http://portal.example')) expect(cookie).not.toContain('Secure')
  })
  it('is limited to https if the public address is, even behind a proxy that does not forward the scheme', async () => {
    for (const headers of [{}, { 'x-forwarded-proto': 'http' }]) {
      const [set] = await written(headers, 'https://portal.example')
      expect(set).toMatch(/^__Host-portal_session=.*; Secure$/)
    }
  })
  it('ignores the forwarded scheme of an untrusted caller', async () => {
    const [set] = await written({ 'x-forwarded-proto': 'https' }, undefined, false)
    expect(set).toMatch(/^portal_session=a\.b\.c/)
    expect(set).not.toContain('Secure')
  })
})

describe('any other cookie', () => {
  it('has the strictest prefix that its path allows, over https only', async () => {
    const namesFor = async (publicOrigin: string) => {
      const app = fastify()
      const cookies = createCookies(publicOrigin)
      const cookie = { name: 'c', value: '1', sameSite: 'Strict', expiresAt: new Date(0) } as const
      app.get('/', async (request, reply) => {
        for (const path of ['/', '/auth/register']) cookies.set(request, reply, { ...cookie, path })
        return {}
      })
      const { headers } = await app.inject('/')
      await app.close()
      return [headers['set-cookie']].flat().map((line) => line?.split('=')[0])
    }
    expect(await namesFor('https://portal.example')).toEqual(['__Host-c', '__Secure-c'])
    expect(await namesFor('http://portal.example')).toEqual(['c', 'c'])
  })
})

describe('reading a cookie', () => {
  it('prefers the strictest prefix', () => {
    expect(readCookie('session=1; __Secure-session=2; __Host-session=3', 'session')).toBe('3')
    expect(readCookie('session=1; __Secure-session=2', 'session')).toBe('2')
    expect(readCookie('__Host-session=; session=1', 'session')).toBe('1')
  })
  it('finds it by its whole name at any position', () => {
    expect(readCookie('session=1', 'session')).toBe('1')
    expect(readCookie('a=2; session=1', 'session')).toBe('1')
    expect(readCookie('a=2;session=1 ; b=3', 'session')).toBe('1')
    expect(readCookie('my_session=2; session=1', 'session')).toBe('1')
  })
  it('returns undefined otherwise', () => {
    for (const header of [undefined, '', 'my_session=2', 'session', 'session=', 'session=; b=3', 'sessions=1']) {
      expect(readCookie(header, 'session')).toBeUndefined()
    }
  })
  it('rejects two cookies with the same name, one of which a sibling host may have set', () => {
    for (const header of ['session=1; session=2', 'session=2;session=1', 'session=1; a=3; session=1']) {
      expect(readCookie(header, 'session')).toBeUndefined()
    }
    expect(readCookie('my_session=2; session=1; sessions=3', 'session')).toBe('1')
  })
})

describe('the credentials of a request', () => {
  const tokenIn = (cookie: string) => credentialsOf({ headers: { cookie } })?.token

  it('prefer the cookie that only the portal’s own host can set', () => {
    expect(tokenIn('portal_session=planted; __Host-portal_session=own')).toBe('own')
    expect(tokenIn('__Host-portal_session=own; portal_session=planted; portal_session=planted-too')).toBe('own')
    expect(tokenIn('portal_session=plain')).toBe('plain')
    expect(tokenIn('portal_session=garbage; portal_session=good')).toBeUndefined()
  })
})
