import type { Logger } from 'pino'
import { countedFromZero, createMetrics, type Metrics } from './metrics/metrics.ts'
import type { OpenTelemetryOptions } from './tracing/open-telemetry.ts'
import { noTracing, type Tracing } from './tracing/tracing.ts'

type TracingOptions = Omit<OpenTelemetryOptions, 'endpoint'> & { readonly endpoint: string | undefined }

/** Loads OpenTelemetry only if an endpoint is configured. */
export const openTracing = async ({ endpoint, ...options }: TracingOptions): Promise<Tracing> => {
  if (endpoint === undefined) return noTracing
  const { startOpenTelemetry } = await import('./tracing/open-telemetry.ts')
  return startOpenTelemetry({ endpoint, ...options })
}

/** The metrics of a process, and its traces if an endpoint is configured. */
export type Observability = { readonly metrics: Metrics; readonly tracing: Tracing }

type ObservabilityOptions = {
  /** The name of the service; 'portal' for a standalone process. */
  readonly service: string
  readonly traces: { readonly endpoint: string | undefined; readonly ratio: number }
  readonly logger: Pick<Logger, 'warn'>
}

/**
 * Call it once per process, before anything else is opened, together with `measureProcess`. Call `tracing.close` last.
 */
export const openObservability = async (options: ObservabilityOptions): Promise<Observability> => {
  const { service, traces, logger } = options
  const serviceName = service === 'portal' ? service : `portal-${service}`
  return { metrics: createMetrics(), tracing: await openTracing({ ...traces, serviceName, logger }) }
}

/** Records and exports nothing; for tests and short commands. */
export const noObservability = (): Observability => ({ metrics: createMetrics(), tracing: noTracing })

/** Counts each rejected attempt by limit, and each attempt that Redis could not count. */
export const limitObservers = ({ limits: { rejected, fallbacks } }: Pick<Metrics, 'limits'>) => ({
  rejectionsOf: (limit: string) => countedFromZero(rejected, { limit }),
  onFallback: (): void => fallbacks.inc(),
})
export type LimitObservers = ReturnType<typeof limitObservers>
