import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Health, HealthReport } from '../observability/health.ts'
import { httpStatusOf } from './problem.ts'

const send = (reply: FastifyReply, report: HealthReport, isWell: boolean) => {
  if (!isWell) reply.code(httpStatusOf('unavailable'))
  return reply
    .header('content-type', 'application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .send(JSON.stringify(report))
}

/**
 * `/health` tells the state of each part, and by its status whether all is well: for people and monitors. `/health/ready` answers with the
 * same report, and by its status whether the process can take requests: for what sends requests to one process or another.
 */
export const serveHealth = (app: FastifyInstance, health: Health): void => {
  app.get('/health', async (_request, reply) => {
    const report = await health.report()
    return send(reply, report, report.status !== 'down')
  })
  app.get('/health/ready', async (_request, reply) => {
    const [report, isReady] = await Promise.all([health.report(), health.isReady()])
    return send(reply, report, isReady)
  })
}
