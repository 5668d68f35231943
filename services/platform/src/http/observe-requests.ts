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
 * Counts and times the requests of each route. Call it before routes are bound: each route gets its own hooks, which already
 * hold their metric series. A listener on every response instead would add a tenth to the cost of a read.
 */
export const measureRequests = (app: FastifyInstance, { http }: Pick<Metrics, 'http'>): void => {
  app.decorateRequest('arrivedAtMs', 0)
  app.addHook('onRoute', (route) => {
    route.onRequest = [onRequest, ...listOf(route.onRequest)]
    route.onSend = [...listOf(route.onSend), onSend(route, http)]
  })
}

const listOf = <T>(hooks: T | T[] | undefined): T[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? hooks : [hooks]

const onRequest: onRequestHookHandler = (request, _reply, done) => {
  request.arrivedAtMs = performance.now()
  done()
}

const onSend = ({ method, url }: Pick<RouteOptions, 'method' | 'url'>, { requests }: Metrics['http']) => {
  const labels = { method: listOf(method).join(' '), route: url }
  // A series is created when the route first responds with that status class.
  const seriesByClass: (ReturnType<typeof requests.of> | undefined)[] = []
  const hook: onSendHookHandler = (request, reply, _payload, done) => {
    const index = Math.floor(reply.statusCode / 100) - 1
    const series = (seriesByClass[index] ??= requests.of({ ...labels, status: statusClasses[index] ?? 'other' }))
    series.observe((performance.now() - request.arrivedAtMs) / 1_000)
    done()
  }
  return hook
}

/**
 * Starts a span for each write and for each read that carries a traceparent. No effect while tracing is off. Handlers run inside
 * the span. The request's traceparent header is replaced by the span's, so that a proxy forwards it.
 */
export const traceRequests = (app: FastifyInstance, tracing: Tracing): void => {
  if (!tracing.isOn) return
  const spans = new WeakMap<FastifyRequest, Span>()

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, headers } = request
    const parent = typeof headers.traceparent === 'string' ? headers.traceparent : undefined
    const isRead = method === 'GET' || method === 'HEAD'
    if (isRead && parent === undefined) return done()
    // The route's template and not the URL, which can contain tokens.
    const route = request.routeOptions.url ?? 'no route'
    const attributes = { 'http.request.method': method, 'http.route': route, 'request.id': request.id }
    const span = tracing.start(`${method} ${route}`, { parent, isRoot: !isRead, kind: 'server', attributes })
    if (span) {
      spans.set(request, span)
      headers.traceparent = span.traceparent
    }
    done()
  })

  // The last hook before the handler: reading the body would lose the active span.
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
