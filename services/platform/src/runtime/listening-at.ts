import { lookup } from 'node:dns/promises'
import type { Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isLoopback } from '../settings/is-loopback.ts'

const everyAddress: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

const urlOf = (host: string, port: number): string => `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/** The address of a server for this machine: usually `http://localhost:3000`. */
export const addressOfHost = (host: string, port: number): string =>
  everyAddress.has(host) || isLoopback(host) ? urlOf('localhost', port) : urlOf(host, port)

export const listeningAt = (server: Pick<Server, 'address'>, host: string): string => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens without a port')
  return addressOfHost(host, address.port)
}

/** The addresses for other machines of the network; none if the server listens on loopback, whatever name HOST gives it. */
export const networkAddresses = async (host: string, port: number): Promise<readonly string[]> => {
  const { address } = await lookup(host).catch(() => ({ address: host }))
  if (isLoopback(address)) return []
  if (!everyAddress.has(address)) return [urlOf(host, port)]
  const all = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  return all.filter(({ family, internal }) => family === 'IPv4' && !internal).map((one) => urlOf(one.address, port))
}
