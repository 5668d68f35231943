import type { OpenTelemetryOptions } from './open-telemetry.ts'
import { noTracing, type Tracing } from './tracing.ts'

export type TracingOptions = Omit<OpenTelemetryOptions, 'endpoint'> & { readonly endpoint: string | undefined }

/** Loads what makes traces only when there is somewhere to send them. */
export const openTracing = async ({ endpoint, ...options }: TracingOptions): Promise<Tracing> => {
  if (endpoint === undefined) return noTracing
  const { startOpenTelemetry } = await import('./open-telemetry.ts')
  return startOpenTelemetry({ endpoint, ...options })
}
