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

/** A token is base64url and dots, so nothing in it needs escaping. */
const writeCookie = (request: FastifyRequest, reply: FastifyReply, token: string, expiresAt: Date): void => {
  const secure = isHttps(request) ? '; Secure' : ''
  const attributes = `Path=/; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=Lax${secure}`
  reply.header('set-cookie', `${sessionCookie}=${token}; ${attributes}`)
}

export const setSessionCookie = writeCookie

export const clearSessionCookie = (request: FastifyRequest, reply: FastifyReply): void =>
  writeCookie(request, reply, '', new Date(0))
