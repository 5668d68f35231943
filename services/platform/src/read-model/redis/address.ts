import { ConfigError } from '../../settings/config.ts'

export type RedisAddress = {
  readonly host: string
  readonly port: number
  readonly tls: boolean
  readonly username: string | undefined
  readonly password: string | undefined
  readonly database: number
  readonly cluster: boolean
  /** Prefix of all keys, so that several portals can share a server. */
  readonly prefix: string
}

// Errors must not contain the address, which may hold a password. The URL parser's own error would repeat it.
const wrong = (what: string): ConfigError => new ConfigError(`READ_MODEL_URL: ${what}`)

const parse = (url: string): URL => {
  if (!URL.canParse(url)) throw wrong('not an address; expected redis://HOST:PORT')
  return new URL(url)
}

const decoded = (part: string, what: string): string | undefined => {
  if (part === '') return undefined
  try {
    return decodeURIComponent(part)
  } catch {
    throw wrong(`the ${what} is not percent-encoded as addresses need it`)
  }
}

const databaseOf = (pathname: string): number => {
  const path = pathname.replace(/^\//, '')
  if (!/^\d{0,5}$/.test(path)) throw wrong('the path must be the number of a database, or nothing')
  return Number(path)
}

const prefixOf = (query: URLSearchParams): string => {
  const prefix = query.get('prefix') ?? 'portal'
  if (!/^[A-Za-z0-9._-]{1,64}$/.test(prefix))
    throw wrong('prefix must be letters, digits, dots, underscores or hyphens')
  return prefix
}

const clusterOf = (query: URLSearchParams, database: number): boolean => {
  const cluster = query.get('cluster') ?? 'false'
  if (cluster !== 'true' && cluster !== 'false') throw wrong('cluster must be true or false')
  if (cluster === 'true' && database !== 0) throw wrong('a cluster has only database 0')
  return cluster === 'true'
}

/** `redis://user:password@host:port/database?prefix=portal&cluster=true`, with `rediss://` for TLS. */
export const parseRedisAddress = (url: string): RedisAddress => {
  const { protocol, hostname, port, username, password, pathname, searchParams } = parse(url)
  if (protocol !== 'redis:' && protocol !== 'rediss:') throw wrong('expected redis://HOST:PORT or rediss://HOST:PORT')
  if (hostname === '') throw wrong('the address names no host')
  for (const name of searchParams.keys()) {
    if (name !== 'prefix' && name !== 'cluster') throw wrong(`'${name}' is not known; there are prefix and cluster`)
  }
  const database = databaseOf(pathname)
  return {
    // IPv6 comes in brackets.
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 6_379 : Number(port),
    tls: protocol === 'rediss:',
    username: decoded(username, 'user'),
    password: decoded(password, 'password'),
    database,
    cluster: clusterOf(searchParams, database),
    prefix: prefixOf(searchParams),
  }
}
