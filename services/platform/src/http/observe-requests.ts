import type { FastifyInstance, FastifyRequest, onRequestHookHandler, onSendHookHandler, RouteOptions } from 'fastify'
import type { Metrics } from '../observability/metrics/metrics.ts'
import type { Span, Tracing } from '../observability/tracing/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    arrivedAtMs: number
  }
}

const statusClasses = ['1xx', '2xx', '3xx', '4xx', '5xx'] as const

/**
 * Counts and times the requests of each route. To be called before routes are bound: each gets hooks of its own that know
 * their figures, and when an answer is handed over nobody has to look up which route it is of. (Listening to the end of
 * each response instead would be a tenth of what a read costs.)
 */
export const measureRequests = (app: FastifyInstance, { http }: Pick<Metrics, 'http'>): void => {
  app.decorateRequest('arrivedAtMs', 0)
  app.addHook('onRoute', (route) => {
    route.onRequest = [onArrival, ...listOf(route.onRequest)]
    route.onSend = [...listOf(route.onSend), onAnswer(route, http)]
  })
}

const listOf = <T>(hooks: T | T[] | undefined): T[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks]

const onArrival: onRequestHookHandler = (request, _reply, done) => {
  request.arrivedAtMs = performance.now()
  done()
}

const onAnswer = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>, { requests }: Metrics['http']) => {
  const labels = { method: listOf(method).join(' '), route: url }
  // What a route has not answered with yet is no series.
  const figures: (ReturnType<typeof requests.of> | undefined)[] = []
  const hook: onSendHookHandler = (request, reply, _payload, done) => {
    const place = Math.floor(reply.statusCode / 100) - 1
    const figure = (figures[place] ??= requests.of({ ...labels, status: statusClasses[place] ?? 'other' }))
    figure.observe((performance.now() - request.arrivedAtMs) / 1_000)
    done()
  }
  return hook
}

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
