import type { Logger } from 'pino'
import { wholeLog } from '../discontinuity/discontinuity.ts'
import type { EventStore } from '../event-store/port.ts'
import { countPublished, watchFeed } from '../observability/metrics/watch.ts'
import type { Observability } from '../observability/observability.ts'
import type { ReadModels } from '../generations/read-models.ts'
import type { HealthPart } from '../observability/health.ts'
import type { Service } from './service.ts'
import type { StopStep } from './shutdown.ts'
import { startFeed } from '../adapters/open-adapters.ts'

type FeedPorts = {
  readonly eventStore: EventStore
  readonly readModels: ReadModels
  readonly observability: Observability
}

export type Feeds = { readonly parts: readonly HealthPart[]; readonly stopping: readonly StopStep[] }

/** Carries what the services record to the bus; none where the bus is the store's own tail. */
export const startFeeds = async (
  busUrl: string,
  services: readonly Pick<Service, 'name' | 'publishers'>[],
  { eventStore, readModels, observability: { metrics } }: FeedPorts,
  logger: Logger,
): Promise<Feeds> => {
  const { continuity } = readModels
  const parts: HealthPart[] = []
  const stopping: StopStep[] = []
  for (const { name, publishers } of services) {
    const feed = await startFeed(busUrl, {
      service: name,
      eventStore,
      publishers: countPublished(publishers, metrics, name),
      readModel: readModels.control,
      discontinuity: {
        report: (found) => continuity.record({ ...found, consumer: wholeLog }),
        isOpen: () => continuity.obstacleTo(`feed:${name}`) !== undefined,
      },
      logger,
    })
    if (!feed) continue
    watchFeed(metrics, name, feed)
    // Without it requests are still answered; what they change shows later.
    parts.push({ name: `feed-of-${name}`, isCritical: false, check: feed.check })
    stopping.push({ name: `feed of ${name}`, stop: feed.stop })
  }
  return { parts, stopping }
}
