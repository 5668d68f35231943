import { inboxProjectionRef } from '@portal/notifications/read-model'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { sendNotification } from '@portal/contracts/notifications/http'
import { afterEach, describe, expect, it } from 'vitest'
import { type PortalFixture, startPortalFixture } from '@portal/standalone/testing/portal-fixture'
import { z } from 'zod'
import { until } from '@portal/platform/testing/until'

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })).default([]),
})
type ReceivedSpan = z.infer<typeof spanSchema>

const exportSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
})

/** An OpenTelemetry collector that stores the received spans (OTLP over HTTP in JSON). */
const startTraceReceiver = async () => {
  const spans: ReceivedSpan[] = []
  const server = createServer(async (request, response) => {
    if (request.url !== '/v1/traces') {
      response.writeHead(404).end()
      return
    }
    const { resourceSpans } = exportSchema.parse(await json(request))
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // The server listens on a port, so the address is an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    spans: spans as readonly ReceivedSpan[],
    stop: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const clickId = '00f067aa0ba902b7'

let stopAll: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stopAll.splice(0)) await stop()
})

const start = async (environment: (endpoint: string) => Readonly<Record<string, string>>) => {
  const receiver = await startTraceReceiver()
  const fixture = await startPortalFixture({ learners: 1, environment: environment(receiver.endpoint) })
  stopAll = [fixture.stop, receiver.stop]
  return { receiver, fixture }
}

/** Sends a notification like the web client does, with a learner's open tab as recipient. */
const clickOnSend = async (fixture: PortalFixture): Promise<void> => {
  const [admin, learner] = [await fixture.admin(), await fixture.learner(1)]
  const { client, messages } = await fixture.openTab(learner)
  client.on('inbox:changed', ({ seq }) => void client.emit('inbox:seen', { seq }))
  const response = await fetch(`${fixture.portal.address}${sendNotification.path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${admin.token}`,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${clickId}-01`,
    },
    body: JSON.stringify({ userIds: [learner.userId], title: 'Secret title', message: 'Secret text', type: 'General' }),
  })
  expect(response.status).toBe(200)
  await until(() => expect(messages.at(-1)).toMatchObject({ unread: 1 }))
}

/** The span names from a span up to the click. */
const wayTo = (span: ReceivedSpan, all: readonly ReceivedSpan[]): readonly string[] => {
  const parent = all.find(({ spanId }) => spanId === span.parentSpanId)
  if (parent) return [...wayTo(parent, all), span.name]
  return [span.parentSpanId === clickId ? 'click' : 'nowhere', span.name]
}

describe('a trace', () => {
  it('covers the path from the click to the socket, and contains only ids', async () => {
    const { receiver, fixture } = await start((endpoint) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }))
    await clickOnSend(fixture)

    const request = `POST ${sendNotification.path}`
    const waysOf = (): readonly string[] => {
      const ours = receiver.spans.filter((span) => span.traceId === traceId)
      return ours.map((span) => wayTo(span, ours).join(' > '))
    }
    await until(() =>
      expect(waysOf()).toEqual(
        expect.arrayContaining([
          `click > ${request}`,
          `click > ${request} > append`,
          `click > ${request} > append > handle projection:${projectionKey(inboxProjectionRef)}`,
          `click > ${request} > append > handle gateway`,
          `click > ${request} > append > tell sockets`,
          `click > ${request} > append > settle deliveries > append`,
        ]),
      ),
    )
    const told = receiver.spans.find(({ name }) => name === 'tell sockets')
    expect(told?.attributes).toContainEqual({ key: 'event', value: { stringValue: 'inbox:changed' } })
    const everything = JSON.stringify(receiver.spans)
    expect(everything).not.toContain('Secret')
    expect(everything).not.toContain('@')
  })

  it('is sampled by the server, regardless of the client', async () => {
    const { receiver, fixture } = await start((endpoint) => ({
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER_ARG: '0',
    }))
    await clickOnSend(fixture)
    await fixture.stop()
    expect(receiver.spans).toEqual([])
    stopAll = [receiver.stop]
  })
})
