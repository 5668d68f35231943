import { createServer } from 'node:http'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createHttpApp } from './create-app.ts'
import { createMetrics } from '../observability/metrics/metrics.ts'
import { openTracing } from '../observability/observability.ts'
import type { Tracing } from '../observability/tracing/tracing.ts'

const logger = pino({ level: 'silent' })
const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const click = `00-${traceId}-00f067aa0ba902b7-01`

/** A collector that accepts all spans. */
const collector = createServer((request, response) => void request.resume().on('end', () => response.end('{}')))
let endpoint: string
beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const address = collector.address()
  endpoint = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  collector.closeAllConnections()
  collector.close()
})

let tracing: Tracing
afterEach(() => tracing.close())

/** An app that returns the active span of its handler, and the header that a proxy would forward. */
const start = async (ratio: number) => {
  tracing = await openTracing({ endpoint, ratio, serviceName: 'portal-test', logger })
  const app = createHttpApp({ logger, observability: { metrics: createMetrics(), tracing } })
  app.route({
    method: ['GET', 'POST'],
    url: '/things/:id',
    handler: async ({ headers }) => {
      await new Promise((resolve) => void setImmediate(resolve))
      return { active: tracing.active()?.traceparent ?? null, handedOn: headers.traceparent ?? null }
    },
  })
  return async (method: 'GET' | 'POST', traceparent?: string): Promise<unknown> => {
    const headers = { 'content-type': 'application/json', ...(traceparent && { traceparent }) }
    const response = await app.inject({ method, url: '/things/1', headers, ...(method === 'POST' && { body: '{}' }) })
    return response.json()
  }
}

describe('a request', () => {
  it('that writes continues the trace of the click with its own span', async () => {
    const call = await start(1)
    const answer = await call('POST', click)
    expect(answer).toMatchObject({ active: expect.stringMatching(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`)) })
    expect(answer).not.toMatchObject({ active: click })
    const { active, handedOn } = answer as { active: unknown; handedOn: unknown } // as the handler made it
    expect(handedOn).toBe(active)
  })
  it('that writes starts a trace if there is none, or a malformed one', async () => {
    const call = await start(1)
    const begun = expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    expect(await call('POST')).toEqual({ active: begun, handedOn: begun })
    for (const odd of ['00-1-2-01', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, `${click}-more`, 'x'.repeat(5_000)])
      expect(await call('POST', odd)).toEqual({ active: begun, handedOn: begun })
  })
  it('that reads joins a trace but starts none', async () => {
    const call = await start(1)
    expect(await call('GET')).toEqual({ active: null, handedOn: null })
    expect(await call('GET', click)).toMatchObject({ active: expect.stringContaining(traceId) })
  })
  it('is forwarded unchanged if its trace is not sampled', async () => {
    const call = await start(0)
    expect(await call('POST', click)).toEqual({ active: null, handedOn: click })
    expect(await call('POST')).toEqual({ active: null, handedOn: null })
  })
})
