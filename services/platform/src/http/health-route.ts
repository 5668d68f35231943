import type { FastifyInstance } from 'fastify'
import type { Health } from '../runtime/health.ts'
import { httpStatusOf } from './problem.ts'

/** Tells the state of each part, and by its status whether the process can do its work. */
export const serveHealth = (app: FastifyInstance, health: Health): void => {
  app.get('/health', async (_request, reply) => {
    const report = await health.report()
    if (report.status === 'down') reply.code(httpStatusOf('unavailable'))
    return reply
      .header('content-type', 'application/json; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(JSON.stringify(report))
  })
}
