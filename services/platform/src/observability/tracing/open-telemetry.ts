import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import type { Logger } from 'pino'
import type { Span, SpanOptions, Tracing } from './tracing.ts'

export type OpenTelemetryOptions = {
  /** `http://collector:4318`; spans go to /v1/traces there, as JSON. */
  readonly endpoint: string
  /** Of the traces that are kept, 0 to 1. */
  readonly ratio: number
  /** The process as its spans name it: `portal-notifications`. */
  readonly serviceName: string
  readonly logger: Pick<Logger, 'warn'>
}

/** Spans that wait for being sent; more are dropped, as a trace is never worth a request. */
const maxWaiting = 4_096
const sendEveryMs = 1_000
const exportTimeoutMs = 3_000

const kindOf = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const

/**
 * Nothing is registered globally: two portals in one process, as in tests, do not share spans. Whether a trace is kept follows
 * from its id alone, so that all processes decide alike and no caller can ask to be recorded.
 */
export const startOpenTelemetry = (options: OpenTelemetryOptions): Tracing => {
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  })
  const processor = new BatchSpanProcessor(logExportFailures(exporter, options.logger), {
    maxQueueSize: maxWaiting,
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: exportTimeoutMs,
  })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName }),
    sampler: new TraceIdRatioBasedSampler(options.ratio),
    spanProcessors: [processor],
  })
  const tracer = provider.getTracer('portal')
  const activeSpan = new AsyncLocalStorage<Span>()

  const start = (name: string, { parent, isRoot, kind, attributes, startedAt }: SpanOptions = {}): Span | undefined => {
    const context = contextOf(parent ?? activeSpan.getStore()?.traceparent)
    if (!context && isRoot !== true) return undefined
    const span = tracer.startSpan(
      name,
      {
        ...(kind && { kind: kindOf[kind] }),
        ...(attributes && { attributes: attributes satisfies Attributes }),
        ...(startedAt && { startTime: startedAt }),
      },
      context ?? ROOT_CONTEXT,
    )
    return span.isRecording() ? spanOf(span) : undefined
  }

  return {
    isOn: true,
    start,
    within: (span, work) => (span ? activeSpan.run(span, work) : work()),
    active: () => activeSpan.getStore(),
    close: async () => {
      // What could not be sent has been said by the exporter; it is no reason for a process to end badly.
      await provider.shutdown().catch(() => undefined)
    },
  }
}

const contextOf = (traceparent: string | undefined): Context | undefined => {
  const spanContext = traceparent === undefined ? undefined : parseTraceparent(traceparent)
  return spanContext && trace.setSpanContext(ROOT_CONTEXT, { ...spanContext, isRemote: true } satisfies SpanContext)
}

const spanOf = (span: OtelSpan): Span => {
  const { traceId, spanId } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-0${TraceFlags.SAMPLED}`,
    set: (attributes) => void span.setAttributes(attributes),
    end: (failure) => {
      if (failure !== undefined) {
        const error = failure instanceof Error ? failure.name : 'unknown'
        span.setStatus({ code: SpanStatusCode.ERROR, message: error })
      }
      span.end()
    },
  }
}

/** The library keeps failures to itself: here each run of them is said once. */
const logExportFailures = (exporter: SpanExporter, logger: Pick<Logger, 'warn'>): SpanExporter => {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === 0) isFailing = false
        else if (!isFailing) {
          isFailing = true
          logger.warn({ err: result.error }, 'Traces could not be sent')
        }
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

/** The parts of a W3C `traceparent` header. */
type TraceParent = { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }

const form = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Undefined for what is none: it comes from outside. */
const parseTraceparent = (text: string): TraceParent | undefined => {
  const [, traceId, spanId, flags] = form.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}
