import type { Preferences } from '@portal/contracts/notifications/preferences'
import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryOutcome, NotificationText } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { PreferencesReader } from '../preferences/preferences-reader.ts'
import { quietUntil } from '../preferences/quiet-hours.ts'
import { type Attempt, attemptKey } from './attempts.ts'
import type { PushWindow } from './recent-pushes.ts'

/** Whether a user can be pushed to. */
export type PushVerdict =
  | { readonly kind: 'now' }
  /** The user has turned pushes of this type off. */
  | { readonly kind: 'turned-off' }
  /** In milliseconds since 1970. */
  | { readonly kind: 'later'; readonly untilMs: number }

const turnedOffBy = (userId: UserId): DeliveryOutcome => ({
  userId,
  state: 'skipped',
  reason: deliveryReasons.turnedOff,
})

/** Synchronous: pushes that start right after it count before anything else is decided. */
export const sortByVerdict = <T>(recipients: ReadonlyMap<UserId, T>, verdictOf: (userId: UserId) => PushVerdict) => {
  const allowed = new Map<UserId, T>()
  const turnedOff: DeliveryOutcome[] = []
  const later = new Map<UserId, number>()
  for (const [userId, recipient] of recipients) {
    const verdict = verdictOf(userId)
    if (verdict.kind === 'turned-off') turnedOff.push(turnedOffBy(userId))
    else if (verdict.kind === 'later') later.set(userId, verdict.untilMs)
    else allowed.set(userId, recipient)
  }
  return { allowed, turnedOff, later }
}

type Content = Pick<NotificationText, 'type' | 'isUrgent'>

const byPreferences = ({ push, quietHours }: Preferences, { type }: Content, wallMs: number): PushVerdict => {
  if (!push[type]) return { kind: 'turned-off' }
  const until = quietHours === null ? undefined : quietUntil(quietHours, new Date(wallMs))
  return until === undefined ? { kind: 'now' } : { kind: 'later', untilMs: until.getTime() }
}

type PushRulesDeps = {
  readonly preferences: PreferencesReader
  readonly window: PushWindow
}

/** What the recipients have chosen, and how many pushes they have got lately. An urgent notification goes above both. */
export const createPushRules = ({ preferences, window }: PushRulesDeps) => ({
  /** The returned function counts pushes that have started since. */
  of: async (
    delivery: Attempt,
    text: Content,
    { userIds, wallMs }: { readonly userIds: readonly UserId[]; readonly wallMs: number },
  ): Promise<(userId: UserId) => PushVerdict> => {
    if (text.isUrgent) return () => ({ kind: 'now' })
    const [chosen, nextAtMs] = await Promise.all([preferences.of(userIds), window.of(userIds, wallMs)])
    return (userId) => {
      const own = chosen.get(userId)
      const verdict: PushVerdict = own === undefined ? { kind: 'now' } : byPreferences(own, text, wallMs)
      if (verdict.kind !== 'now') return verdict
      const untilMs = nextAtMs(userId, attemptKey(delivery))
      return untilMs === undefined ? verdict : { kind: 'later', untilMs }
    }
  },
  started: window.start,
})
export type PushRules = ReturnType<typeof createPushRules>
