import type { Role } from '@portal/contracts/auth/user'

/** How long a session may be unused before it is refused; undefined: as long as it lasts. */
export type IdleLimits = { readonly learnersMs?: number | undefined; readonly adminsMs?: number | undefined }

export const idleLimitOf = ({ learnersMs, adminsMs }: IdleLimits, role: Role): number | undefined =>
  role === 'admin' ? adminsMs : learnersMs

const longestMs = 2 * 3_600_000
/** Recorded uses are this much of the limit apart, so that a day of work is a hundred events at most. */
const partOfLimit = 1 / 12

/** A use is recorded if the one before is older than this. */
export const recordUseAfterMs = (limitMs: number | undefined): number =>
  Math.min(longestMs, limitMs === undefined ? longestMs : limitMs * partOfLimit)

/** Half of it: several processes see the uses, and each of them asks for itself how old the recorded one is. */
export const checkUseAfterMs = (limitMs: number | undefined): number => recordUseAfterMs(limitMs) / 2

type Times = {
  /** By the clock of the machine. */
  readonly nowMs: number
  /** By the clock of the machine at the start of this process, and a monotonic one since then. */
  readonly steadyNowMs: number
  /** Since this process saw the session used, on the monotonic clock. */
  readonly unusedHereMs: number
}

/**
 * For how long nobody has used a session. The smallest answer counts, so that a clock that is set, in this process or in the one that
 * recorded the use, logs nobody out.
 */
export const unusedMs = (usedAtMs: number, { nowMs, steadyNowMs, unusedHereMs }: Times): number =>
  Math.min(nowMs - usedAtMs, steadyNowMs - usedAtMs, unusedHereMs)
