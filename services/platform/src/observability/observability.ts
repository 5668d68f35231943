import type { Logger } from 'pino'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import { openTracing } from './tracing/open-tracing.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'

/** What a process tells about itself: figures that are fetched, and traces that are sent where an address for them is set. */
export type Observability = { readonly metrics: Metrics; readonly tracing: Tracing }

export type ObservabilityOptions = {
  /** 'portal' for the whole in one process, else the name of the service. */
  readonly service: string
  readonly traces: { readonly endpoint: string | undefined; readonly ratio: number }
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Once a process, before anything else is opened, along with `measureProcess`; `tracing.close` when everything else has
 * stopped.
 */
export const openObservability = async (options: ObservabilityOptions): Promise<Observability> => {
  const { service, traces, logger } = options
  const serviceName = service === 'portal' ? service : `portal-${service}`
  return { metrics: createMetrics(), tracing: await openTracing({ ...traces, serviceName, logger }) }
}

/** Where nobody looks: in tests, and in commands that run for a moment. */
export const unobserved = (): Observability => ({ metrics: createMetrics(), tracing: noTracing })
