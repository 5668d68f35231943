import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Health, HealthReport } from '../observability/health.ts'
import { apiErrors, httpStatusOf, sendApiError } from './problem.ts'
import { createHash, timingSafeEqual } from 'node:crypto'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { hostnameOf } from './allowed-hosts.ts'
import { directAddressOf } from './client-address.ts'
import { credentialsOf } from '../session/session.ts'
import type { Metrics } from '../observability/metrics/metrics.ts'

const send = (reply: FastifyReply, report: HealthReport, isOk: boolean) => {
  if (!isOk) reply.code(httpStatusOf('unavailable'))
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(report))
}

/** Reasons can name files and hosts, so only callers on this machine or a private network read them, as with metrics. */
const reportFor = (request: FastifyRequest, { reasons, ...report }: HealthReport): HealthReport => ({
  ...report,
  reasons: isPrivateCaller(request) ? reasons : [],
})

/**
 * `/health` reports the state of each part, for people and monitoring: 200 unless the process is down. `/health/ready` returns the
 * same report for load balancers: 200 if the process can take requests.
 */
export const serveHealth = (app: FastifyInstance, health: Health): void => {
  app.get('/health', async (request, reply) => {
    const report = await health.report()
    return send(reply, reportFor(request, report), report.status !== 'down')
  })
  app.get('/health/ready', async (request, reply) => {
    const [report, isReady] = await Promise.all([health.report(), health.isReady()])
    return send(reply, reportFor(request, report), isReady)
  })
}

type ServeMetricsOptions = {
  readonly metrics: Pick<Metrics, 'scrape'>
  /** If set, callers need it as Bearer token. Otherwise callers on this machine or a private network have access. */
  readonly token: string | undefined
}

const metricsPath = '/metrics'

/**
 * The Prometheus metrics of this process, on the portal's port. With a token, only the token grants access. Without one, callers on
 * this machine or a private network have access, unless the request came through a proxy or its Host could be that of a web page.
 * Other callers get 404. A proxy that adds no forwarding header must block the path, as deploy/balancer does.
 */
export const serveMetrics = (app: FastifyInstance, { metrics, token }: ServeMetricsOptions): void => {
  const isAllowed = token === undefined ? isPrivateCaller : bearerOf(token)
  app.get(metricsPath, async (request, reply) => {
    if (!isAllowed(request)) return sendApiError(request, reply, apiErrors.unknownCall)
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

const privateNetworks = new BlockList()
privateNetworks.addSubnet('127.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('10.0.0.0', 8, 'ipv4')
privateNetworks.addSubnet('172.16.0.0', 12, 'ipv4')
privateNetworks.addSubnet('192.168.0.0', 16, 'ipv4')
privateNetworks.addSubnet('169.254.0.0', 16, 'ipv4')
privateNetworks.addAddress('::1', 'ipv6')
privateNetworks.addSubnet('fc00::', 7, 'ipv6')
privateNetworks.addSubnet('fe80::', 10, 'ipv6')

/** An IP address or a name without a dot. The name of a foreign site always has a dot, even if it resolves to this machine. */
const isLocalName = (host: string | undefined): boolean => {
  const name = hostnameOf(host ?? '')
  return isIP(name) !== 0 || !name.includes('.')
}

const isPrivateCaller = (request: FastifyRequest): boolean => {
  if (!isLocalName(request.headers.host)) return false
  const address = directAddressOf(request) ?? ''
  return isIP(address) !== 0 && privateNetworks.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}
