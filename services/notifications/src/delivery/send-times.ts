import type { NotificationId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { LRUCache } from 'lru-cache'

/** One look at the clocks, in milliseconds since 1970. */
export type Moment = {
  /** The machine's clock, which can be corrected by any amount. */
  readonly wallMs: number
  /** The machine's clock as it was at the start, and what has elapsed since: it only goes forward. */
  readonly steadyMs: number
}

export const createMoments = ({ now, elapsedMs }: Pick<ClockAndIds, 'now' | 'elapsedMs'>): (() => Moment) => {
  const startMs = now().getTime() - elapsedMs()
  return () => ({ wallMs: now().getTime(), steadyMs: startMs + elapsedMs() })
}

/** Sends whose first sight is remembered. One that is forgotten counts as found among older ones. */
const rememberedSends = 100_000

type Sent = {
  readonly notificationId: NotificationId
  /** The store's time; ISO 8601. */
  readonly sentAt: string
}
type FirstSight = { readonly atMs: number; readonly isArrival: boolean }

/**
 * When sends are due and how old they are, although the store's clock and this machine's may differ and both may be set. What arrives
 * while this process is watching is timed from then, by the clock that only goes forward. What it finds when it starts is as old
 * as the store says, and waits for no longer than the grace time in any case.
 */
export const createSendTimes = (graceMs: number) => {
  const firstSights = new LRUCache<NotificationId, FirstSight>({ max: rememberedSends })

  const firstSightOf = (notificationId: NotificationId, { steadyMs }: Moment): FirstSight => {
    const known = firstSights.get(notificationId)
    if (known) return known
    const found: FirstSight = { atMs: steadyMs, isArrival: false }
    firstSights.set(notificationId, found)
    return found
  }

  return {
    /** It has just come in, and this process has seen all that came before. */
    arrived: (notificationId: NotificationId, { steadyMs }: Moment): void => {
      if (!firstSights.has(notificationId)) firstSights.set(notificationId, { atMs: steadyMs, isArrival: true })
    },

    hasArrived: (notificationId: NotificationId): boolean => firstSights.get(notificationId)?.isArrival === true,

    /** On the steady clock. */
    dueAtMs: ({ notificationId, sentAt }: Sent, moment: Moment): number => {
      const { atMs, isArrival } = firstSightOf(notificationId, moment)
      const afterSightMs = atMs + graceMs
      if (isArrival) return afterSightMs
      return Math.min(moment.steadyMs + Date.parse(sentAt) + graceMs - moment.wallMs, afterSightMs)
    },

    /**
     * At least as long as this process has known it. Beyond that the store's time counts, by the clock that makes it younger: one
     * that was set forward expires nothing.
     */
    ageMs: ({ notificationId, sentAt }: Sent, moment: Moment): number => {
      const knownForMs = moment.steadyMs - firstSightOf(notificationId, moment).atMs
      return Math.max(knownForMs, Math.min(moment.wallMs, moment.steadyMs) - Date.parse(sentAt))
    },
  }
}
export type SendTimes = ReturnType<typeof createSendTimes>
