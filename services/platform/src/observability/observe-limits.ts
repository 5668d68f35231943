import type { Metrics } from './metrics/metrics.ts'

/** What limits report: each refusal by the name of its limit, and each attempt that Redis could not count. */
export const limitObservers = ({ limits: { refused, fallbacks } }: Pick<Metrics, 'limits'>) => ({
  onRefused: (limit: string): void => refused.inc({ limit }),
  onFallback: (): void => fallbacks.inc(),
})
export type LimitObservers = ReturnType<typeof limitObservers>
