import type { Outcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Texts } from '../inbox/texts.ts'
import type { Numbered } from './decide-delivery.ts'
import type { DeferralReason, Deferrals } from './deferrals.ts'
import type { OpenDelivery } from './ledger-projection.ts'
import type { Moment } from './moment.ts'
import { failed, type PushToUsers } from './push-to-users.ts'
import type { SeenUpTo } from './recipient-standing.ts'
import type { RememberedOutcomes } from './remembered-outcomes.ts'
import type { SendTimes } from './send-times.ts'

/** A provider that asks for a longer pause is asked again after this. */
const longestAskedMs = 30 * 60_000

type Deps = {
  readonly texts: Texts
  readonly pushToUsers: PushToUsers
  readonly seenUpTo: SeenUpTo
  readonly times: SendTimes
  readonly deferrals: Deferrals
  readonly remembered: RememberedOutcomes
  /** For how long a push is tried again while the provider is away. */
  readonly retryForMs: number
  readonly now: () => Moment
  readonly signal: AbortSignal
}

export type PushedDelivery = {
  readonly settled: readonly Outcome[]
  readonly reasons: ReadonlyMap<DeferralReason, number>
}

/** Pushes to recipients of one delivery. Those of whom the provider took over nothing stay open until their time is up. */
export const createPushDelivery = (deps: Deps) => {
  const { texts, pushToUsers, seenUpTo, times, deferrals, remembered, retryForMs, now, signal } = deps

  /** The time counts from the send, and from the first attempt where that came too late for a second one. */
  const isLastAttempt = (delivery: OpenDelivery): boolean => {
    const moment = now()
    const ageMs = times.ageMs(delivery, moment)
    const ageAtFirstMs = ageMs - deferrals.waitedMs(delivery, 'not-taken-over', moment.steadyMs)
    return ageMs > (ageAtFirstMs > retryForMs ? ageAtFirstMs + retryForMs : retryForMs)
  }

  return {
    isLastAttempt,
    push: async (delivery: OpenDelivery, recipients: ReadonlyMap<UserId, Numbered>): Promise<PushedDelivery> => {
      const { notificationId } = delivery
      const [text] = await texts.many([notificationId])
      if (!text) throw new Error(`The text of ${notificationId} is missing`)
      const isWanted = (userId: UserId): boolean => {
        const numbered = recipients.get(userId)
        return numbered === undefined || seenUpTo(userId, numbered.epoch) < numbered.seq
      }
      const settled: Outcome[] = []
      const reasons = new Map<DeferralReason, number>()
      for (const pushed of await pushToUsers(text, [...recipients.keys()], isWanted, signal)) {
        if (pushed.state !== 'not-taken-over') {
          remembered.set(notificationId, pushed)
          settled.push(pushed)
        } else if (isLastAttempt(delivery)) settled.push(failed(pushed.userId, pushed.reason))
        else {
          const askedMs = Math.min(pushed.afterMs, longestAskedMs)
          reasons.set('not-taken-over', Math.max(askedMs, reasons.get('not-taken-over') ?? 0))
        }
      }
      return { settled, reasons }
    },
  }
}
export type PushDelivery = ReturnType<typeof createPushDelivery>
