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
  /** Such as `http://collector:4318`. Spans are sent to its /v1/traces as JSON. */
  readonly endpoint: string
  /** The share of traces that are sampled, 0 to 1. */
  readonly ratio: number
  /** Such as `portal-notifications`. */
  readonly serviceName: string
  readonly logger: Pick<Logger, 'warn'>
}

/** The maximum of spans in the queue. More are dropped, because tracing must not slow down requests. */
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
 * Registers nothing globally, so that two portals in one test process do not share spans. Sampling depends on the trace id alone, so
 * all processes decide alike and no caller can force a recording.
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
      // The exporter has logged the failure, which must not make the shutdown unclean.
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

/** Logs the first failure of a series, because the library logs none. */
const logExportFailures = (exporter: SpanExporter, logger: Pick<Logger, 'warn'>): SpanExporter => {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code === 0) isFailing = false
        else if (!isFailing) {
          isFailing = true
          logger.warn({ err: result.error }, 'trace export failed, dropping spans')
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

/** Undefined if it is malformed: callers send it. */
const parseTraceparent = (text: string): TraceParent | undefined => {
  const [, traceId, spanId, flags] = form.exec(text) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) }
}
