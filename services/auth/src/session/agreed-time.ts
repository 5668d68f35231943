import { z } from 'zod'

/** One event under a clock that is far ahead must not decide that sessions have expired: so many in a row have to agree. */
const mustAgree = 5
/** Clocks of processes that check tokens may be behind the one that recorded the events. */
const marginMs = 24 * 60 * 60 * 1_000

/** When the last few events were recorded, the newest last; part of a projection's own document. */
export const recentTimesSchema = z.array(z.iso.datetime()).default([])
export type RecentTimes = z.infer<typeof recentTimesSchema>

export const withTime = (recent: RecentTimes, at: string): RecentTimes => [...recent, at].slice(-mustAgree)

/** Whether a token that was valid until `expiresAt` is certainly refused by now. */
export const hasSurelyExpired = (recent: RecentTimes, expiresAt: string): boolean =>
  recent.length === mustAgree && recent.every((at) => Date.parse(at) > Date.parse(expiresAt) + marginMs)
