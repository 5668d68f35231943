import type { FastifyReply, FastifyRequest } from 'fastify'
import { sessionCookie } from './session.ts'

/** The value of one cookie. Read on every request, so it looks for the one name instead of parsing them all. */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  if (header === undefined) return undefined
  let at = header.indexOf(`${name}=`)
  while (at > 0 && !'; '.includes(header.charAt(at - 1))) at = header.indexOf(`${name}=`, at + 1)
  if (at === -1) return undefined
  const start = at + name.length + 1
  const end = header.indexOf(';', start)
  const value = header.slice(start, end === -1 ? undefined : end).trim()
  return value === '' ? undefined : value
}

/** Behind a proxy that ends TLS the scheme is in its header; a caller who forges it only hurts their own cookie. */
const isHttps = (request: Pick<FastifyRequest, 'headers' | 'protocol'>): boolean => {
  const forwarded = request.headers['x-forwarded-proto']
  const scheme = typeof forwarded === 'string' ? forwarded.split(',')[0]?.trim() : undefined
  return (scheme ?? request.protocol) === 'https'
}

export type Cookie = {
  readonly name: string
  /** Base64url and dots: nothing in it needs escaping. */
  readonly value: string
  /** Which calls it goes along with. */
  readonly path: string
  readonly sameSite: 'Lax' | 'Strict'
  readonly expiresAt: Date
}

/** Sets cookies that no script can read. Where the public address is https they are for https alone, whatever proxies say. */
export const createCookies = (publicOrigin: string | undefined) => {
  const isPublicHttps = publicOrigin?.startsWith('https:') ?? false

  const set = (request: FastifyRequest, reply: FastifyReply, cookie: Cookie): void => {
    const { name, value, path, sameSite, expiresAt } = cookie
    const secure = isPublicHttps || isHttps(request) ? '; Secure' : ''
    const attributes = `Path=${path}; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=${sameSite}${secure}`
    reply.header('set-cookie', `${name}=${value}; ${attributes}`)
  }

  const setSession = (request: FastifyRequest, reply: FastifyReply, token: string, expiresAt: Date): void =>
    set(request, reply, { name: sessionCookie, value: token, path: '/', sameSite: 'Lax', expiresAt })

  return {
    set,
    setSession,
    clearSession: (request: FastifyRequest, reply: FastifyReply): void => setSession(request, reply, '', new Date(0)),
  }
}
export type Cookies = ReturnType<typeof createCookies>
