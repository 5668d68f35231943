import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { credentialsOf } from '../../http/authentication.ts'
import { directAddressOf } from '../../http/direct-address.ts'
import { refusals, sendRefusal } from '../../http/problem.ts'
import type { Metrics } from '../metrics/metrics.ts'

export type ServeMetricsOptions = {
  readonly metrics: Pick<Metrics, 'scrape'>
  /** Whoever names it as Bearer token is answered, wherever from. */
  readonly token: string | undefined
}

export const metricsPath = '/metrics'

/**
 * The figures of this process, for Prometheus. They share the portal's port but are not for its visitors: who asks from this
 * machine or a private network is answered unless the request came through a proxy; so is whoever knows the token. To all
 * others there is no such call. A proxy that adds no forwarding header has to keep the path to itself, as deploy/balancer
 * does anyway.
 */
export const serveMetrics = (app: FastifyInstance, { metrics, token }: ServeMetricsOptions): void => {
  const knowsToken = token === undefined ? () => false : bearerOf(token)
  app.get(metricsPath, async (request, reply) => {
    if (!isNeighbour(request) && !knowsToken(request)) return sendRefusal(request, reply, refusals.unknownCall)
    const { contentType, text } = await metrics.scrape()
    return reply.header('content-type', contentType).header('cache-control', 'no-store').send(text)
  })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const bearerOf = (token: string) => {
  const expected = digest(token)
  return (request: FastifyRequest): boolean => {
    const credentials = credentialsOf(request)
    return credentials?.by === 'bearer' && timingSafeEqual(digest(credentials.token), expected)
  }
}

const neighbours = new BlockList()
neighbours.addSubnet('127.0.0.0', 8, 'ipv4')
neighbours.addSubnet('10.0.0.0', 8, 'ipv4')
neighbours.addSubnet('172.16.0.0', 12, 'ipv4')
neighbours.addSubnet('192.168.0.0', 16, 'ipv4')
neighbours.addSubnet('169.254.0.0', 16, 'ipv4')
neighbours.addAddress('::1', 'ipv6')
neighbours.addSubnet('fc00::', 7, 'ipv6')
neighbours.addSubnet('fe80::', 10, 'ipv6')

const isNeighbour = (request: FastifyRequest): boolean => {
  const address = directAddressOf(request) ?? ''
  return isIP(address) !== 0 && neighbours.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
