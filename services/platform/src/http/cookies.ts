import type { FastifyReply, FastifyRequest } from 'fastify'
import { hostSessionCookie, sessionCookie } from './session.ts'

const indexOfName = (header: string, name: string, from: number): number => {
  let at = header.indexOf(`${name}=`, from)
  while (at > 0 && !'; '.includes(header.charAt(at - 1))) at = header.indexOf(`${name}=`, at + 1)
  return at
}

/**
 * The value of one cookie. Undefined where the name comes twice: a page of a neighboring host can plant a cookie beside the portal's
 * own, and nothing says which of the two is whose. Read on every request, so it looks for the one name instead of parsing them all.
 */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  if (header === undefined) return undefined
  const at = indexOfName(header, name, 0)
  if (at === -1) return undefined
  const start = at + name.length + 1
  if (indexOfName(header, name, start) !== -1) return undefined
  const end = header.indexOf(';', start)
  const value = header.slice(start, end === -1 ? undefined : end).trim()
  return value === '' ? undefined : value
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

/**
 * Sets cookies that no script can read. Where the public address is https, or a trusted proxy says that the caller uses it, they are
 * for https alone.
 */
export const createCookies = (publicOrigin: string | undefined) => {
  const isPublicHttps = publicOrigin?.startsWith('https:') ?? false
  const isHttps = (request: Pick<FastifyRequest, 'protocol'>): boolean => isPublicHttps || request.protocol === 'https'

  const set = (request: FastifyRequest, reply: FastifyReply, cookie: Cookie): void => {
    const { name, value, path, sameSite, expiresAt } = cookie
    const secure = isHttps(request) ? '; Secure' : ''
    const attributes = `Path=${path}; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=${sameSite}${secure}`
    reply.header('set-cookie', `${name}=${value}; ${attributes}`)
  }

  const setAs = (
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
    { token, expiresAt }: { readonly token: string; readonly expiresAt: Date },
  ): void => set(request, reply, { name, value: token, path: '/', sameSite: 'Lax', expiresAt })

  return {
    set,
    setSession: (request: FastifyRequest, reply: FastifyReply, token: string, expiresAt: Date): void =>
      setAs(isHttps(request) ? hostSessionCookie : sessionCookie, request, reply, { token, expiresAt }),
    clearSession: (request: FastifyRequest, reply: FastifyReply): void => {
      const gone = { token: '', expiresAt: new Date(0) }
      if (isHttps(request)) setAs(hostSessionCookie, request, reply, gone)
      setAs(sessionCookie, request, reply, gone)
    },
  }
}
export type Cookies = ReturnType<typeof createCookies>
