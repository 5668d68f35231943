import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { BlockList, isIP } from 'node:net'

const blocks = (
  family: 'ipv4' | 'ipv6',
  ...subnets: readonly (readonly [net: string, prefix: number])[]
): BlockList => {
  const list = new BlockList()
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, family)
  return list
}

/** Private, loopback, link-local with the metadata of clouds, shared, reserved, documentation and multicast (RFC 6890). */
const reservedV4 = blocks(
  'ipv4',
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
)
/** The rest holds loopback, private and link-local addresses, and those that embed an IPv4 address, such as mapped ones. */
const globalV6 = blocks('ipv6', ['2000::', 3])
/** Teredo and other protocols, documentation, 6to4. */
const reservedV6 = blocks('ipv6', ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20])

/** Whether the address is one of the public internet. */
export const isPublicAddress = (address: string): boolean => {
  const family = isIP(address)
  if (family === 4) return !reservedV4.check(address, 'ipv4')
  // A zone is of a local network.
  if (family !== 6 || address.includes('%')) return false
  return globalV6.check(address, 'ipv6') && !reservedV6.check(address, 'ipv6')
}

/** The host of an endpoint has an address that is not public. */
export class PrivateEndpointError extends Error {
  override readonly name = 'PrivateEndpointError'
}

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

const resolveHost: Resolve = (host) => lookup(host, { all: true })

/**
 * Returns a function that resolves the host of an endpoint. It rejects unless all addresses are public, so that no user can make the
 * server call itself or its network. `privateHosts` are exempt.
 */
export const createEndpointResolver =
  (privateHosts: ReadonlySet<string>, resolve: Resolve = resolveHost) =>
  async ({ hostname }: URL): Promise<readonly LookupAddress[]> => {
    const host = hostname.replace(/^\[(.*)\]$/, '$1')
    const addresses = await resolve(host)
    if (privateHosts.has(host) || addresses.every(({ address }) => isPublicAddress(address))) return addresses
    throw new PrivateEndpointError('the push service has no public address')
  }
