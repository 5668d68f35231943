import autocannon from 'autocannon'
import { sendNotification } from '@portal/contracts/notifications/http'
import { callRoute, send } from '../testing/api-client.ts'
import type { BareProcess, BenchPortal } from './bench-portal.ts'
import type { Comparison, Scale } from './measure.ts'

/** Requests per second on ten connections. */
export const rateOf = async (url: string, headers: Record<string, string>, scale: Scale): Promise<number> => {
  const result = await autocannon({ url, headers, connections: 10, duration: Math.max(1, scale.roundMs / 1_000) })
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`)
  return result.requests.average
}

/** Authenticated inbox pages per second, against bare Fastify with the same bytes. */
export const benchPageThroughput = async (
  portal: BenchPortal,
  bare: BareProcess,
  scale: Scale,
): Promise<Comparison[]> => {
  const [learner] = await portal.learners(1)
  if (!learner) throw new Error('no learner')
  for (let n = 0; n < 20; n++)
    await callRoute(portal.address, sendNotification, {
      token: portal.adminToken,
      body: {
        userIds: [learner.userId],
        title: `Notice ${n}`,
        message: 'Please bring your student card. '.repeat(4),
        type: 'Exam',
      },
    })
  const path = '/notifications?page=1&limit=10'
  const page = await send(portal.address, 'GET', path, { token: learner.token })
  await send(bare.address, 'PUT', '/page', { body: page.body })

  const headers = { accept: 'application/json', authorization: `Bearer ${learner.token}` }
  const figures = { portal: [] as number[], bare: [] as number[] }
  for (let round = 0; round < scale.rounds; round++) {
    figures.portal.push(await rateOf(`${portal.address}${path}`, headers, scale))
    figures.bare.push(await rateOf(`${bare.address}/page`, headers, scale))
  }
  return [
    {
      name: 'signed-in inbox page',
      limitName: 'bare Fastify, same bytes',
      unit: '/s',
      portal: figures.portal,
      limit: figures.bare,
      reach: { atLeast: 0.5 },
    },
  ]
}
