import type { IncomingMessage } from 'node:http'
import { BlockList, isIP, isIPv4 } from 'node:net'

/** Whether the peer at this address is a proxy of ours. `hop` is 0 for the peer itself, 1 for the one before it. */
export type IsTrustedProxy = (address: string, hop: number) => boolean

const namedRanges: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/** IPv4 as IPv4, however the socket writes it. */
export const plainAddress = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '')

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

/** From TRUST_PROXY: none, that many one before the other, or those at these addresses. */
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

/** The address of the caller: the first one, from the last hop back, that is not a trusted proxy. */
export const callerAddressOf = (request: RawRequest, isTrusted: IsTrustedProxy): string => {
  const forwarded = request.headers['x-forwarded-for']
  const text = typeof forwarded === 'string' ? forwarded : (forwarded?.join(',') ?? '')
  const before = text === '' ? [] : text.split(',').map((part) => part.trim())
  let address = peerOf(request)
  for (let hop = 0; before.length > 0 && isTrusted(address, hop); hop += 1) address = before.pop() ?? address
  return plainAddress(address)
}
