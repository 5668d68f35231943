import { Counter, type Registry } from 'prom-client'
import { withTimeout } from '../../async/timeout.ts'

/** Updates gauges right before they are read. */
type Refresh = () => void | Promise<void>

/** Longer than a check of all health parts takes. */
const refreshTimeoutMs = 3_000

/**
 * The metrics as text, after all gauges have been refreshed. A gauge that cannot be refreshed in time keeps its last value: a scrape
 * must work while something else fails.
 */
export const createScrape = (registry: Registry) => {
  const refreshes = new Set<Refresh>()
  const stale = new Counter({
    name: 'portal_metrics_stale_total',
    help: 'Figures that could not be brought up to date for a scrape and kept their last value.',
    registers: [registry],
  })

  const refreshOne = async (refresh: Refresh): Promise<void> => {
    try {
      await withTimeout(Promise.resolve(refresh()), refreshTimeoutMs, 'a metric')
    } catch {
      // The failing part reports its error in the log and in /health.
      stale.inc()
    }
  }

  return {
    /** Returns a function that removes the refresh. */
    beforeScrape: (refresh: Refresh): (() => void) => {
      refreshes.add(refresh)
      return () => void refreshes.delete(refresh)
    },
    /** Returns all metrics in the Prometheus text format. */
    scrape: async (): Promise<{ readonly contentType: string; readonly text: string }> => {
      await Promise.all([...refreshes].map(refreshOne))
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
