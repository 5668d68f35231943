import type { Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback } from '../settings/is-loopback.ts'

const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** Where this machine opens a server that listens at `host`: `http://localhost:3000`, mostly. */
export const addressOfHost = (host: string, port: number): string =>
  everyAddress.has(host) || isLoopback(host) ? urlOf('localhost', port) : urlOf(host, port)

export const listeningAt = (server: Pick<Server, 'address'>, host: string): string => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens without a port')
  return addressOfHost(host, address.port)
}

/** Where other machines of the network open it; none where it listens to this machine alone. */
export const networkAddresses = (host: string, port: number): readonly string[] => {
  if (isLoopback(host)) return []
  if (!everyAddress.has(host)) return [urlOf(host, port)]
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map((one) => urlOf(one.address, port))
}
