import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { boundedCache } from '@portal/platform/cache/bounded-cache'
import { type DeliveryId, deliveryKey } from './deferrals.ts'

/** A reading of both clocks, in milliseconds since 1970. */
export type Moment = {
  /** The system clock, which may jump. */
  readonly wallMs: number
  /** The system clock at startup plus the elapsed time: never goes back. */
  readonly steadyMs: number
}

export const createMoments = ({ now, elapsedMs }: Pick<ClockAndIds, 'now' | 'elapsedMs'>): (() => Moment) => {
  const startMs = now().getTime() - elapsedMs()
  return () => ({ wallMs: now().getTime(), steadyMs: startMs + elapsedMs() })
}

/** Maximum number of tracked deliveries. An evicted one counts as found at startup. */
const maxDeliveries = 200_000

type Sent = DeliveryId & {
  /** The event store's time; ISO 8601. */
  readonly sentAt: string
}
/** `ageMs` is its age at `atMs`. `arrivedMs` is when its last recipients arrived; absent if it was found at startup. */
type Observation = { readonly atMs: number; readonly ageMs: number; readonly arrivedMs?: number }

/** By the store's time, against the earlier of the two clocks, so that a clock set forward expires nothing. */
const ageByStoreMs = ({ sentAt }: Sent, { wallMs, steadyMs }: Moment): number =>
  Math.min(wallMs, steadyMs) - Date.parse(sentAt)

/**
 * Computes when deliveries are due and how old they are, although the store's clock and this machine's may differ or
 * jump. Each bucket has its own times, because a large campaign reaches one bucket after the other. Deliveries that
 * arrive while this process watches count from their last arrival on the monotonic clock. Deliveries found at startup
 * count from the store's time, but wait for at most the grace period.
 */
export const createSendTimes = (graceMs: number) => {
  const observations = boundedCache<string, Observation>(maxDeliveries)

  const observe = (sent: Sent, moment: Moment): Observation => {
    const key = deliveryKey(sent)
    const known = observations.get(key)
    if (known) return known
    const found: Observation = { atMs: moment.steadyMs, ageMs: ageByStoreMs(sent, moment) }
    observations.set(key, found)
    return found
  }

  return {
    /** Some of its recipients have just arrived, and this process has seen all earlier deliveries. */
    arrived: (sent: Sent, moment: Moment): void => {
      const key = deliveryKey(sent)
      const known = observations.get(key)
      const wasFound = known !== undefined && known.arrivedMs === undefined
      if (!wasFound) observations.set(key, { ...observe(sent, moment), arrivedMs: moment.steadyMs })
    },

    hasArrived: (delivery: DeliveryId): boolean => observations.get(deliveryKey(delivery))?.arrivedMs !== undefined,

    /** Returns the time on the monotonic clock. */
    dueAtMs: (sent: Sent, moment: Moment): number => {
      const { atMs, arrivedMs } = observe(sent, moment)
      if (arrivedMs !== undefined) return arrivedMs + graceMs
      const afterObservedMs = atMs + graceMs
      return Math.min(moment.steadyMs + Date.parse(sent.sentAt) + graceMs - moment.wallMs, afterObservedMs)
    },

    /**
     * Returns at least the time that this process has known the delivery. Beyond that, its age by the store's time: now, or when it
     * became known. The smaller one, because the store may have recorded it with a clock that was behind and was then set.
     */
    ageMs: (sent: Sent, moment: Moment): number => {
      const { atMs, ageMs } = observe(sent, moment)
      const knownForMs = moment.steadyMs - atMs
      return Math.max(knownForMs, Math.min(ageMs + knownForMs, ageByStoreMs(sent, moment)))
    },
  }
}
export type SendTimes = ReturnType<typeof createSendTimes>
