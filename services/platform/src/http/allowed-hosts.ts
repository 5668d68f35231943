import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { isLoopback } from '../settings/is-loopback.ts'
import { type IsTrustedProxy, isFromTrustedProxy, type RawRequest } from './client-address.ts'

/** Whether a request names one of the portal's own addresses as its Host. */
export type HostRule = (request: RawRequest) => boolean

type HostSettings = {
  /** The address that it listens at. */
  readonly host: string
  readonly publicOrigin: string | undefined
  readonly isTrusted: IsTrustedProxy
  /** Names that processes of the portal call each other by, such as `catalog`. */
  readonly ownNames?: readonly string[]
}

/** In lower case and without the port; `[::1]` becomes `::1`. */
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
 * The allow-list of Host names. It ends DNS rebinding: a page of another site can point its own name at this machine, but it
 * cannot send another Host than that name. Ports do not matter for this.
 *
 * - A public address is known: its name, this machine's addresses, and the names that the processes call each other by.
 * - No public address is known, and the portal listens on this machine only: the same, and any IP address, because no name is
 *   behind it. A public address that is this machine itself, as `http://localhost:3000`, counts as none.
 * - No public address is known, and the portal listens on the network: undefined, because people may use any name.
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
    // Only HTTP/1.0 leaves it out, as health checks of balancers do. Browsers never do.
    if (given === undefined || isAllowed(given)) return true
    return typeof forwarded === 'string' && isFromTrustedProxy(request, isTrusted) && isAllowed(forwarded)
  }
}

/** The names in the addresses that the processes call each other at. */
export const serviceNames = (addresses: Readonly<Record<string, string | undefined>>): readonly string[] =>
  Object.values(addresses).flatMap((address) => (address === undefined ? [] : [hostnameOf(new URL(address).host)]))
