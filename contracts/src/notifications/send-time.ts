import { z } from 'zod'
import { scheduleLimits } from './schedule-limits.ts'
import { tooFarAhead, tooSoon } from './errors.ts'

/** An instant with its zone, in any offset. The result is in UTC. */
export const sendAtSchema = z.iso
  .datetime({ offset: true, error: 'sendAt must be a time such as 2026-12-01T09:00:00+05:30' })
  .overwrite((text) => (Number.isNaN(Date.parse(text)) ? text : new Date(text).toISOString()))

/** The last moment for which a send can be scheduled. */
export const latestSendAtMs = (nowMs: number): number => {
  const last = new Date(nowMs)
  last.setUTCMonth(last.getUTCMonth() + scheduleLimits.aheadMonths)
  return last.getTime()
}

/** Why a send cannot be scheduled for that time. */
export const sendAtError = (sendAtMs: number, nowMs: number): typeof tooSoon | typeof tooFarAhead | undefined => {
  if (sendAtMs < nowMs + scheduleLimits.aheadMs) return tooSoon
  return sendAtMs > latestSendAtMs(nowMs) ? tooFarAhead : undefined
}

/**
 * Why a scheduled send was not sent at its time. 'late': the portal was down, or the clock was set. 'restored': a backup was
 * restored, and it may have been sent before. The others: its rule selected no one, or could not be used any more.
 */
export const missedReasons = ['late', 'restored', 'no-recipients', 'program-deleted', 'too-many-recipients'] as const
export type MissedReason = (typeof missedReasons)[number]
