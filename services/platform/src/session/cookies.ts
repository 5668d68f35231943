import type { FastifyReply, FastifyRequest } from 'fastify'

/** The cookie with the session token: HttpOnly, SameSite=Lax, with the prefix `__Host-` over https. */
export const sessionCookie = 'portal_session'

const indexOfName = (header: string, name: string, from: number): number => {
  let at = header.indexOf(`${name}=`, from)
  while (at > 0 && !'; '.includes(header.charAt(at - 1))) at = header.indexOf(`${name}=`, at + 1)
  return at
}

/**
 * Browsers accept `__Host-` names only over https, from the host itself and for all paths, and `__Secure-` names only over https. A
 * sibling host or an http connection cannot set a `__Host-` cookie.
 */
const securePrefixes = ['__Host-', '__Secure-'] as const

const secureNameOf = (name: string, path: string): string => `${path === '/' ? '__Host-' : '__Secure-'}${name}`

/**
 * The value of a cookie with any prefix; the strictest prefix wins. Runs on every request, so it searches for the names instead of
 * parsing all cookies.
 */
export const readCookie = (header: string | undefined, name: string): string | undefined => {
  if (header === undefined) return undefined
  for (const prefix of securePrefixes) {
    const value = valueOf(header, prefix + name)
    if (value !== undefined) return value
  }
  return valueOf(header, name)
}

/** The value of a cookie with the prefix that no sibling host and no http connection can set. */
export const readHostCookie = (header: string | undefined, name: string): string | undefined =>
  header === undefined ? undefined : valueOf(header, `__Host-${name}`)

/**
 * Undefined if the name occurs twice: a sibling host can set a second cookie, and the two cannot be told apart.
 */
const valueOf = (header: string, name: string): string | undefined => {
  const at = indexOfName(header, name, 0)
  if (at === -1) return undefined
  const start = at + name.length + 1
  if (indexOfName(header, name, start) !== -1) return undefined
  const end = header.indexOf(';', start)
  const value = header.slice(start, end === -1 ? undefined : end).trim()
  return value === '' ? undefined : value
}

export type Cookie = {
  /** Name without a prefix. */
  readonly name: string
  /** Value of base64url characters and dots only, so it needs no escaping. */
  readonly value: string
  readonly path: string
  readonly sameSite: 'Lax' | 'Strict'
  readonly expiresAt: Date
}

/**
 * Sets HttpOnly cookies. They are Secure if the public address is https, or if a trusted proxy reports https.
 */
export const createCookies = (publicOrigin: string | undefined) => {
  const isPublicHttps = publicOrigin?.startsWith('https:') ?? false
  const isHttps = (request: Pick<FastifyRequest, 'protocol'>): boolean => isPublicHttps || request.protocol === 'https'

  const write = (request: FastifyRequest, reply: FastifyReply, cookie: Cookie): void => {
    const { name, value, path, sameSite, expiresAt } = cookie
    const secure = isHttps(request) ? '; Secure' : ''
    const attributes = `Path=${path}; Expires=${expiresAt.toUTCString()}; HttpOnly; SameSite=${sameSite}${secure}`
    reply.header('set-cookie', `${name}=${value}; ${attributes}`)
  }

  const set = (request: FastifyRequest, reply: FastifyReply, cookie: Cookie): void => {
    const name = isHttps(request) ? secureNameOf(cookie.name, cookie.path) : cookie.name
    write(request, reply, { ...cookie, name })
  }

  const sessionOf = (value: string, expiresAt: Date): Cookie => ({
    name: sessionCookie,
    value,
    path: '/',
    sameSite: 'Lax',
    expiresAt,
  })

  return {
    set,
    setSession: (request: FastifyRequest, reply: FastifyReply, token: string, expiresAt: Date): void =>
      set(request, reply, sessionOf(token, expiresAt)),
    clearSession: (request: FastifyRequest, reply: FastifyReply): void => {
      const expired = sessionOf('', new Date(0))
      if (isHttps(request)) set(request, reply, expired)
      write(request, reply, expired)
    },
  }
}
export type Cookies = ReturnType<typeof createCookies>
