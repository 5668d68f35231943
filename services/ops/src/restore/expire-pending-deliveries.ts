import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { portalSender } from '@portal/contracts/notifications/portal-sender'
import { allBucketKeys } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import {
  pendingPageSize,
  type PendingDelivery,
  readPendingFrom,
} from '@portal/notifications/delivery/pending-deliveries'
import { outcomeOf } from '@portal/notifications/delivery/attempts'
import { readDeliveryStatuses } from '@portal/notifications/delivery/delivery-status'
import { recordOutcomes } from '@portal/notifications/delivery/record-outcomes'
import { readHeld } from '@portal/notifications/held-send/held-list'
import { createTakeBack } from '@portal/notifications/held-send/take-back'
import { missScheduled } from '@portal/notifications/scheduled-send/miss-scheduled'
import { readScheduled } from '@portal/notifications/scheduled-send/scheduled-list'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'

type ExpirePendingDeliveriesDeps = {
  readonly ledger: ReadStore
  readonly inbox: Parameters<typeof readDeliveryStatuses>[0]
  readonly eventStore: Pick<EventStore, 'append'>
}

async function* openDeliveriesOf(ledger: ExpirePendingDeliveriesDeps['ledger']): AsyncGenerator<PendingDelivery> {
  for (const bucket of allBucketKeys) {
    let from = 0
    for (;;) {
      const page = await readPendingFrom(ledger, bucket, from)
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < pendingPageSize) break
      from = last.ordinal + 1
    }
  }
}

const neverReported = (): number => 0

const outcomesOf = async (
  { inbox }: ExpirePendingDeliveriesDeps,
  delivery: PendingDelivery,
): Promise<readonly DeliveryOutcome[]> => {
  const { stopped } = delivery
  const userIds = [...delivery.pending, ...delivery.active, ...delivery.postponed]
  const standings = await readDeliveryStatuses(inbox, delivery, userIds, neverReported)
  const outcomeOfUnread = (userId: UserId): DeliveryOutcome =>
    stopped === undefined
      ? { userId, state: 'skipped', reason: deliveryReasons.expired }
      : { userId, state: 'cancelled', reason: stopped }
  return userIds.flatMap((userId): DeliveryOutcome[] => {
    const kind = standings.get(userId)?.kind
    if (kind === 'settled') return []
    return [outcomeOf(delivery, kind === 'live' ? { userId, state: 'live' } : outcomeOfUnread(userId))]
  })
}

/**
 * Expires all deliveries that were pending at the time of the backup, because the portal has most likely pushed them since. The
 * notifications stay in the inbox. Returns how many were unread.
 */
export const expirePendingDeliveries = async (
  deps: ExpirePendingDeliveriesDeps,
  signal: AbortSignal,
): Promise<number> => {
  const outcomes = new Map<NotificationId, DeliveryOutcome[]>()
  for await (const delivery of openDeliveriesOf(deps.ledger)) {
    signal.throwIfAborted()
    const known = outcomes.get(delivery.notificationId) ?? []
    outcomes.set(delivery.notificationId, [...known, ...(await outcomesOf(deps, delivery))])
  }
  for (const [notificationId, ended] of outcomes) {
    signal.throwIfAborted()
    if (ended.length > 0) await recordOutcomes(deps.eventStore, notificationId, ended)
  }
  return [...outcomes.values()].flat().filter(({ state }) => state !== 'live').length
}

/**
 * Takes back the sends that were confirmed and held at the time of the backup, because the portal has most likely sent them
 * since. Those that were scheduled for the time since are left to an admin.
 */
export const endHeldSends = async (
  {
    inbox,
    eventStore,
    nowMs,
  }: {
    readonly inbox: Pick<ReadStore, 'range'>
    readonly eventStore: Pick<EventStore, 'append' | 'read'>
    readonly nowMs: number
  },
  signal: AbortSignal,
): Promise<void> => {
  const takeBack = createTakeBack(eventStore)
  for (const { notificationId } of await readHeld(inbox)) {
    signal.throwIfAborted()
    await takeBack({ notificationId, takenBackBy: portalSender }, {})
  }
  for (const scheduled of await readScheduled(inbox)) {
    signal.throwIfAborted()
    if (scheduled.sendAtMs <= nowMs) await missScheduled(eventStore, scheduled, 'restored')
  }
}
