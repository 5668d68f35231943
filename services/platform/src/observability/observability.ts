import type { Logger } from 'pino'
import { createMetrics, measureProcess, type Metrics } from './metrics/metrics.ts'
import { openTracing } from './tracing/open-tracing.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'

/** What a process tells about itself: figures that are fetched, and traces that are sent where an address for them is set. */
export type Observability = { readonly metrics: Metrics; readonly tracing: Tracing }

export type ObservabilityOptions = {
  /** 'portal' for the whole in one process, else the name of the service. */
  readonly service: string
  readonly otlpEndpoint: string | undefined
  readonly traceRatio: number
  readonly logger: Pick<Logger, 'warn'>
}

/** Once a process, before anything else is opened; `tracing.close` when everything else has stopped. */
export const openObservability = async (options: ObservabilityOptions): Promise<Observability> => {
  const { service, otlpEndpoint, traceRatio, logger } = options
  const metrics = createMetrics()
  measureProcess(metrics)
  const tracing = await openTracing({
    endpoint: otlpEndpoint,
    ratio: traceRatio,
    serviceName: service === 'portal' ? service : `portal-${service}`,
    logger,
  })
  return { metrics, tracing }
}

/** Where nobody looks: in tests, and in commands that run for a moment. */
export const unobserved = (): Observability => ({ metrics: createMetrics(), tracing: noTracing })
