import type { IncomingMessage } from 'node:http'

const forwardingHeaders: ReadonlySet<string> = new Set([
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'x-request-id',
])

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')

/** The request headers with new forwarding headers. The client's forwarding headers count only if proxies are trusted. */
export const forwardedHeaders = (
  { rawHeaders, headers, socket }: Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'socket'>,
  trustsProxies: boolean,
): string[] => {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']
    if (!forwardingHeaders.has(name.toLowerCase())) kept.push(name, value)
  }
  const trustedHeader = (name: string): string | undefined => (trustsProxies ? textOf(headers[name]) : undefined)
  const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
  const before = trustedHeader('x-forwarded-for')
  const host = trustedHeader('x-forwarded-host') ?? headers.host
  const requestId = trustedHeader('x-request-id')
  if (requestId !== undefined) kept.push('X-Request-Id', requestId)
  kept.push('X-Forwarded-For', before === undefined ? from : `${before}, ${from}`)
  kept.push('X-Forwarded-Proto', trustedHeader('x-forwarded-proto') ?? 'http')
  if (host !== undefined) kept.push('X-Forwarded-Host', host)
  return kept
}

const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection'])

/** Removes the headers that apply to a single connection. */
export const withoutConnectionHeaders = (rawHeaders: readonly string[]): string[] => {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']
    if (!connectionHeaders.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
