import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Span, Tracing } from '../tracing/tracing.ts'

/**
 * A span for each request that changes something, and for others that come with a trace; nothing at all while tracing is off. What
 * handlers do is part of the span. The request's header names the span from then on, so that a proxy hands it on.
 */
export const traceRequests = (app: FastifyInstance, tracing: Tracing): void => {
  if (!tracing.isOn) return
  const spans = new WeakMap<FastifyRequest, Span>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request
    const parent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && parent === undefined) return done()
    // The route's template, not the address: addresses can carry tokens.
    const route = request.routeOptions.url ?? 'no route'
    const attributes = { 'http.request.method': method, 'http.route': route, 'request.id': request.id }
    const span = tracing.start(`${method} ${route}`, { parent, isRoot: !isRead, kind: 'server', attributes })
    if (span) {
      spans.set(request, span)
      headers.traceparent = span.traceparent
    }
    done()
  })

  // The last hook before the handler: what reads the body would not keep the active span.
  app.addHook('preHandler', (request, _reply, done) => {
    tracing.within(spans.get(request), done)
  })

  app.addHook('onResponse', (request, reply, done) => {
    const span = spans.get(request)
    span?.set({ 'http.response.status_code': reply.statusCode })
    span?.end(reply.statusCode >= 500 ? reply.statusCode : undefined)
    done()
  })
}
