import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { HealthPart } from '../../observability/health.ts'

/** The push services of the browsers. Any user can run another one, and let it answer anything. */
const knownServices =
  /^(?:fcm\.googleapis\.com|.+\.push\.services\.mozilla\.com|.+\.notify\.windows\.com|.+\.push\.apple\.com)$/
const maxServices = 100
/** A service that has accepted the key may refuse some subscriptions, which were made with another key. */
const toleratedRefusals = 10
/** A service that no push has gone to since then says nothing any more. */
const forgottenAfterMs = 24 * 3_600_000

/** A user-facing error, so that health logs one line. */
class PushKeyRefusedError extends Error {
  override readonly name = 'PushKeyRefusedError'
  readonly isUserFacing = true
}

type WatchKeyOptions = {
  readonly privateHosts: ReadonlySet<string>
  /** Milliseconds of a clock that never jumps. */
  readonly nowMs: () => number
  readonly logger: Pick<Logger, 'info' | 'warn'>
}

/** The refusals of a service since it has last accepted the key. */
type Refusals = { readonly tolerated: number; readonly count: number; readonly status: number; readonly atMs: number }

const isRefusing = ({ count, tolerated }: Refusals): boolean => count > tolerated

/** Knows which push services refuse the portal's key. */
export const watchKey = ({ privateHosts, nowMs, logger }: WatchKeyOptions) => {
  const services = new LRUCache<string, Refusals>({ max: maxServices })
  const isKnown = (host: string): boolean => knownServices.test(host) || privateHosts.has(host)

  return {
    accepted: ({ hostname }: URL): void => {
      if (!isKnown(hostname)) return
      const before = services.get(hostname)
      if (before && isRefusing(before))
        logger.info({ service: hostname }, 'push service accepts the key of the portal again')
      services.set(hostname, { tolerated: toleratedRefusals, count: 0, status: 0, atMs: nowMs() })
    },
    refused: ({ hostname }: URL, status: number): void => {
      if (!isKnown(hostname)) return
      const { tolerated, count } = services.get(hostname) ?? { tolerated: 0, count: 0 }
      if (count === tolerated) logger.warn({ service: hostname, status }, 'push service refuses the key of the portal')
      services.set(hostname, { tolerated, count: count + 1, status, atMs: nowMs() })
    },
    health: {
      name: 'push',
      isCritical: false,
      check: async () => {
        for (const [service, refusals] of services.entries()) {
          if (!isRefusing(refusals) || nowMs() - refusals.atMs > forgottenAfterMs) continue
          throw new PushKeyRefusedError(
            `${service} refuses the key of this portal (${refusals.status}), as after another master key or with a wrong clock. Browsers register again when they open the portal`,
          )
        }
      },
    } satisfies HealthPart,
  }
}
