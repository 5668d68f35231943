/**
 * Days in India Standard Time, in which the programme is held: always five and a half hours ahead of UTC. A day is a number,
 * counted from 1 January 1970, so that days can be ordered and bounded; its date is what people see.
 */
const dayMs = 86_400_000
const aheadMs = 5.5 * 3_600_000

export const dayAt = (at: Date): number => Math.floor((at.getTime() + aheadMs) / dayMs)

/** `2026-11-21` */
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10)
