import { timingSafeEqual, createHash } from 'node:crypto'
import { BlockList, isIPv4 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { credentialsOf } from '../../http/authentication.ts'
import { refusals, sendRefusal } from '../../http/problem.ts'
import type { Metrics } from '../metrics/metrics.ts'

export type ServeMetricsOptions = {
  readonly metrics: Pick<Metrics, 'scrape'>
  /** Whoever names it as Bearer token is answered, wherever from; nobody else is. */
  readonly token: string | undefined
  readonly isProduction: boolean
}

export const metricsPath = '/metrics'

/**
 * The figures of this process, for Prometheus. They share the portal's port but are not for its visitors: with a token, whoever
 * knows it is answered; without one, callers on this machine (outside production also those of a private network), and none
 * that came through a proxy, because from behind one everybody looks like a neighbour. To all others there is no such call.
 */
export const serveMetrics = (app: FastifyInstance, options: ServeMetricsOptions): void => {
  const isWelcome = options.token === undefined ? isNear(options.isProduction) : knows(options.token)
  app.get(metricsPath, async (request, reply) => {
    if (!isWelcome(request)) return sendRefusal(request, reply, refusals.unknownCall)
    const { contentType, text } = await options.metrics.scrape()
    return reply.header('content-type', contentType).header('cache-control', 'no-store').send(text)
  })
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

const knows = (token: string) => {
  const expected = digest(token)
  return (request: FastifyRequest): boolean => {
    const credentials = credentialsOf(request)
    return credentials?.by === 'bearer' && timingSafeEqual(digest(credentials.token), expected)
  }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

const privateNetworks = new BlockList()
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  privateNetworks.addSubnet(network, prefix, 'ipv4')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-real-ip', 'via'] as const

const isNear = (isProduction: boolean) => {
  const near = isProduction ? [loopback] : [loopback, privateNetworks]
  return ({ headers, raw }: FastifyRequest): boolean => {
    if (forwardingHeaders.some((name) => headers[name] !== undefined)) return false
    // Of the connection itself: a header would say what its sender likes.
    const address = raw.socket.remoteAddress?.replace(/^::ffff:/, '') ?? ''
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    return address !== '' && near.some((networks) => networks.check(address, family))
  }
}
