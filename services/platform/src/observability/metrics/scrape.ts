import { Counter, type Registry } from 'prom-client'
import { withTimeout } from '../../async/timeout.ts'

/** Brings figures up to date right before they are read. */
type Refresh = () => void | Promise<void>

/** Longer than a look at the health of all parts takes. */
const refreshTimeoutMs = 3_000

/**
 * The figures as text, after everything that is only known by asking has been asked. What cannot be had in time keeps its last
 * value: a scrape must work best when something else does not.
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
      await withTimeout(Promise.resolve(refresh()), refreshTimeoutMs, 'a figure')
    } catch {
      // What is wrong the part that was asked says itself, in the log and in /health.
      stale.inc()
    }
  }

  return {
    /** Answers how to take it back. */
    beforeScrape: (refresh: Refresh): (() => void) => {
      refreshes.add(refresh)
      return () => void refreshes.delete(refresh)
    },
    /** Prometheus' text format. */
    scrape: async (): Promise<{ readonly contentType: string; readonly text: string }> => {
      await Promise.all([...refreshes].map(refreshOne))
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
  }
}
