import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { isLoopback } from '../settings/is-loopback.ts'
import { type IsTrustedProxy, isFromTrustedProxy, type RawRequest } from './client-address.ts'

/** Whether a request names one of the portal's own addresses as its Host. */
export type HostRule = (request: RawRequest) => boolean

/**
 * HTTP/1.1 requires exactly one Host: proxies and the portal could read different ones of several. Only HTTP/1.0 clients omit it, such
 * as health checks of load balancers.
 */
export const hasRequiredHost = ({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, 'httpVersion' | 'rawHeaders'>): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') hosts += 1
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0')
}

type HostSettings = {
  /** The address that the portal listens on. */
  readonly host: string
  readonly publicOrigin: string | undefined
  readonly isTrusted: IsTrustedProxy
  /** Host names that processes of the portal use to reach each other, such as `catalog`. */
  readonly ownNames?: readonly string[]
}

/** Returns the host name in lower case and without the port; `[::1]` becomes `::1`. */
export const hostnameOf = (host: string): string => {
  const end = host.startsWith('[') ? host.indexOf(']') + 1 : host.lastIndexOf(':')
  const name = (end > 0 ? host.slice(0, end) : host).toLowerCase()
  return name.startsWith('[') ? name.slice(1, -1) : name.replace(/\.$/, '')
}

const interfacesMs = 10_000

/** The addresses of this machine. They can change while the process runs. */
const createOwnAddresses = () => {
  let known: ReadonlySet<string> = new Set()
  let readAtMs = Number.NEGATIVE_INFINITY
  return (address: string): boolean => {
    if (performance.now() - readAtMs > interfacesMs) {
      known = new Set(Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map((one) => one.address)))
      readAtMs = performance.now()
    }
    return known.has(address)
  }
}

/**
 * The allow-list of Host names, which prevents DNS rebinding: a foreign page can point its own name at this machine, but it
 * cannot send another Host header. Ports are ignored.
 *
 * - With a public address: its name, this machine's addresses, and the names that the processes use for each other.
 * - Without one, listening on loopback: the same names and any IP address. A public address on loopback, such as
 *   `http://localhost:3000`, counts as none.
 * - Without one, listening on the network: undefined, because users may reach the portal by any name.
 */
export const createHostRule = ({
  host,
  publicOrigin,
  isTrusted,
  ownNames = [],
}: HostSettings): HostRule | undefined => {
  const publicName = publicOrigin === undefined ? undefined : hostnameOf(new URL(publicOrigin).host)
  const isLocal = publicName === undefined || isLoopback(publicName)
  if (isLocal && !isLoopback(hostnameOf(host))) return undefined
  const machine = hostname().toLowerCase()
  const names = new Set([machine, `${machine}.local`, ...ownNames.map((name) => name.toLowerCase())])
  if (publicName !== undefined) names.add(publicName)
  const isOwnAddress = createOwnAddresses()
  const isAllowed = (given: string): boolean => {
    const name = hostnameOf(given)
    if (names.has(name) || isLoopback(name)) return true
    return isIP(name) !== 0 && (isLocal || isOwnAddress(name))
  }
  return (request) => {
    const { host: given, 'x-forwarded-host': forwarded } = request.headers
    if (given === undefined || isAllowed(given)) return true
    return typeof forwarded === 'string' && isFromTrustedProxy(request, isTrusted) && isAllowed(forwarded)
  }
}

/** The host names in the internal addresses of the services. */
export const serviceNames = (addresses: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.values(addresses).flatMap((address) => (address === undefined ? [] : [hostnameOf(new URL(address).host)]))
