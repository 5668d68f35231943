import type { Logger } from 'pino'
import type { HealthPart } from '../../observability/health.ts'

/** The push services of the browsers. Any user can run another one, and let it answer anything. */
const knownServices = /(?:^|\.)(?:googleapis\.com|push\.services\.mozilla\.com|notify\.windows\.com|push\.apple\.com)$/
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

type Refusal = { readonly status: number; readonly atMs: number }

/**
 * Knows which push services refuse the portal's key. A service that has accepted the key refuses a subscription that was made with
 * another one, which is no fault of the portal.
 */
export const watchKey = ({ privateHosts, nowMs, logger }: WatchKeyOptions) => {
  const accepting = new Set<string>()
  const refusing = new Map<string, Refusal>()
  const isKnown = (host: string): boolean => knownServices.test(host) || privateHosts.has(host)

  return {
    accepted: ({ hostname }: URL): void => {
      if (!isKnown(hostname)) return
      accepting.add(hostname)
      if (refusing.delete(hostname))
        logger.info({ service: hostname }, 'push service accepts the key of the portal again')
    },
    refused: ({ hostname }: URL, status: number): void => {
      if (!isKnown(hostname) || accepting.has(hostname)) return
      if (!refusing.has(hostname))
        logger.warn({ service: hostname, status }, 'push service refuses the key of the portal')
      refusing.set(hostname, { status, atMs: nowMs() })
    },
    health: {
      name: 'push',
      isCritical: false,
      check: async () => {
        for (const [service, { status, atMs }] of refusing) {
          if (nowMs() - atMs > forgottenAfterMs) continue
          throw new PushKeyRefusedError(
            `${service} refuses the key of this portal (${status}), as after another master key or with a wrong clock. Browsers register again when they open the portal`,
          )
        }
      },
    } satisfies HealthPart,
  }
}
