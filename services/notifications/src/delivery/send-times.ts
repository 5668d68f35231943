import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { LRUCache } from 'lru-cache'

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

/** Maximum number of tracked campaigns. An evicted one counts as found at startup. */
const maxCampaigns = 100_000

type Sent = {
  readonly notificationId: NotificationId
  /** The event store's time; ISO 8601. */
  readonly sentAt: string
}
type Observation = { readonly atMs: number; readonly isArrival: boolean }

/**
 * Computes when campaigns are due and how old they are, although the store's clock and this machine's may differ or
 * jump. Campaigns that arrive while this process watches count from their arrival on the monotonic clock. Campaigns
 * found at startup count from the store's time, but wait for at most the grace period.
 */
export const createSendTimes = (graceMs: number) => {
  const observations = new LRUCache<NotificationId, Observation>({ max: maxCampaigns })

  const observe = (notificationId: NotificationId, { steadyMs }: Moment): Observation => {
    const known = observations.get(notificationId)
    if (known) return known
    const found: Observation = { atMs: steadyMs, isArrival: false }
    observations.set(notificationId, found)
    return found
  }

  return {
    /** The campaign has just arrived, and this process has seen all earlier ones. */
    arrived: (notificationId: NotificationId, { steadyMs }: Moment): void => {
      if (!observations.has(notificationId)) observations.set(notificationId, { atMs: steadyMs, isArrival: true })
    },

    hasArrived: (notificationId: NotificationId): boolean => observations.get(notificationId)?.isArrival === true,

    /** On the monotonic clock. */
    dueAtMs: ({ notificationId, sentAt }: Sent, moment: Moment): number => {
      const { atMs, isArrival } = observe(notificationId, moment)
      const afterObservedMs = atMs + graceMs
      if (isArrival) return afterObservedMs
      return Math.min(moment.steadyMs + Date.parse(sentAt) + graceMs - moment.wallMs, afterObservedMs)
    },

    /**
     * At least the time that this process has known the campaign. Beyond that, the store's time against the earlier
     * of the two clocks, so that a clock set forward expires nothing.
     */
    ageMs: ({ notificationId, sentAt }: Sent, moment: Moment): number => {
      const knownForMs = moment.steadyMs - observe(notificationId, moment).atMs
      return Math.max(knownForMs, Math.min(moment.wallMs, moment.steadyMs) - Date.parse(sentAt))
    },
  }
}
export type SendTimes = ReturnType<typeof createSendTimes>
