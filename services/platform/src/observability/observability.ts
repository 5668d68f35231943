import type { Logger } from 'pino'
import { createMetrics, type Metrics } from './metrics/metrics.ts'
import type { OpenTelemetryOptions } from './tracing/open-telemetry.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'

type TracingOptions = Omit<OpenTelemetryOptions, 'endpoint'> & { readonly endpoint: string | undefined }

/** Loads what makes traces only when there is somewhere to send them. */
export const openTracing = async ({ endpoint, ...options }: TracingOptions): Promise<Tracing> => {
  if (endpoint === undefined) return noTracing
  const { startOpenTelemetry } = await import('./tracing/open-telemetry.ts')
  return startOpenTelemetry({ endpoint, ...options })
}

/** What a process tells about itself: figures that are fetched, and traces that are sent where an address for them is set. */
export type Observability = { readonly metrics: Metrics; readonly tracing: Tracing }

type ObservabilityOptions = {
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
export const noObservability = (): Observability => ({ metrics: createMetrics(), tracing: noTracing })

/** What limits report: each refusal by the name of its limit, and each attempt that Redis could not count. */
export const limitObservers = ({ limits: { rejected, fallbacks } }: Pick<Metrics, 'limits'>) => ({
  onRejected: (limit: string): void => rejected.inc({ limit }),
  onFallback: (): void => fallbacks.inc(),
})
export type LimitObservers = ReturnType<typeof limitObservers>
