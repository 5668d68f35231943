import type { IncomingMessage } from 'node:http'

const forwarding: ReadonlySet<string> = new Set([
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'forwarded',
  'x-request-id',
])

const textOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.join(', ')

/**
 * The headers for the gateway, as they came but for whom the request is from. What a proxy in front has said of that counts
 * only where such a proxy is trusted.
 */
export const forwardedHeaders = (
  { rawHeaders, headers, socket }: Pick<IncomingMessage, 'rawHeaders' | 'headers' | 'socket'>,
  trustsProxies: boolean,
): string[] => {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']
    if (!forwarding.has(name.toLowerCase())) kept.push(name, value)
  }
  const said = (name: string): string | undefined => (trustsProxies ? textOf(headers[name]) : undefined)
  const from = socket.remoteAddress?.replace(/^::ffff:/, '') ?? 'unknown'
  const before = said('x-forwarded-for')
  const host = said('x-forwarded-host') ?? headers.host
  const requestId = said('x-request-id')
  if (requestId !== undefined) kept.push('X-Request-Id', requestId)
  kept.push('X-Forwarded-For', before === undefined ? from : `${before}, ${from}`)
  kept.push('X-Forwarded-Proto', said('x-forwarded-proto') ?? 'http')
  if (host !== undefined) kept.push('X-Forwarded-Host', host)
  return kept
}

const ofOneHop: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'proxy-connection'])

/** Without what is about one connection only. */
export const withoutHop = (rawHeaders: readonly string[]): string[] => {
  const kept: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '']
    if (!ofOneHop.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}
