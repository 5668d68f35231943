import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { IncomingMessage } from 'node:http'

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

/**
 * The address of the connection, or undefined if the request came through a proxy: every caller would have the proxy's address.
 * Headers are never used, because any caller can set them.
 */
export const directAddressOf = ({ headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>): string | undefined => {
  if (forwardingHeaders.some((name) => headers[name] !== undefined)) return undefined
  return raw.socket.remoteAddress?.replace(/^::ffff:/, '')
}

/** Whether the request comes from this machine. A local proxy that adds no forwarding header is indistinguishable. */
export const isOnThisMachine = (request: Pick<FastifyRequest, 'headers' | 'raw'>): boolean => {
  const address = directAddressOf(request)
  return address === '::1' || (address?.startsWith('127.') ?? false)
}

/** Whether the address is a trusted proxy. `hop` is 0 for the peer of the connection, 1 for the previous hop. */
export type IsTrustedProxy = (address: string, hop: number) => boolean

const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** Removes the IPv6 prefix of a mapped IPv4 address. */
const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

const addressesOf = (setting: string): BlockList => {
  const list = new BlockList()
  for (const part of setting.split(',').map((text) => text.trim())) {
    for (const range of namedRanges[part] ?? [part]) {
      const [address = '', prefix] = range.split('/')
      const family = isIPv4(address) ? 'ipv4' : 'ipv6'
      list.addSubnet(address, prefix === undefined ? (family === 'ipv4' ? 32 : 128) : Number(prefix), family)
    }
  }
  return list
}

/** Parses TRUST_PROXY: no proxy, a number of hops, or a list of addresses. */
export const trustedProxies = (setting: false | number | string): IsTrustedProxy => {
  if (setting === false) return () => false
  if (typeof setting === 'number') return (_address, hop) => hop < setting
  const list = addressesOf(setting)
  return (address) => {
    const plain = plainAddress(address)
    return isIP(plain) !== 0 && list.check(plain, isIPv4(plain) ? 'ipv4' : 'ipv6')
  }
}

export type RawRequest = Pick<IncomingMessage, 'headers' | 'socket'>

const peerOf = ({ socket }: RawRequest): string => socket.remoteAddress ?? ''

export const isFromTrustedProxy = (request: RawRequest, isTrusted: IsTrustedProxy): boolean =>
  isTrusted(peerOf(request), 0)

/** Some proxies write `192.0.2.7:51234` or `[2001:db8::7]:51234`: each connection would count as another caller. */
const withoutPort = (hop: string): string =>
  /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop

/**
 * The client address: walking back from the last hop, the first address that is not a trusted proxy. What is no address says nothing
 * about the caller, so the proxy that wrote it counts.
 */
export const clientAddressOf = (request: RawRequest, isTrusted: IsTrustedProxy): string => {
  const forwarded = request.headers['x-forwarded-for']
  const text = typeof forwarded === 'string' ? forwarded : (forwarded?.join(',') ?? '')
  const before = text === '' ? [] : text.split(',').map((part) => plainAddress(withoutPort(part.trim())))
  let address = plainAddress(peerOf(request))
  for (let hop = 0; isTrusted(address, hop); hop += 1) {
    const next = before.pop()
    if (next === undefined || isIP(next) === 0) break
    address = next
  }
  return address
}
