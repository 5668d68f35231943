import type { Outcome } from '@portal/contracts/notifications/events'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { breathe } from '@portal/platform/bus/time-slice'
import { afterProjected } from '@portal/platform/projection/after-projection'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadModel } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import type { Texts } from '../inbox/texts.ts'
import { ledgerProjection, type OpenDelivery } from './ledger-projection.ts'
import type { OpenDeliveries } from './open-deliveries.ts'
import type { PushToUsers } from './push-to-users.ts'
import { recipientStandings, type SeenUpTo } from './recipient-standing.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** Deliveries worked on at a time. */
const concurrency = 4
/** Far more than are on their way at a time. */
const rememberedOutcomes = 100_000

type Deps = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly readModel: Pick<ReadModel, 'getMany' | 'entries'>
  readonly ledger: Pick<ReadModel, 'whenApplied'>
  readonly open: OpenDeliveries
  readonly texts: Texts
  readonly pushToUsers: PushToUsers
  readonly seenUpTo: SeenUpTo
  readonly signal: AbortSignal
}

type Delivered = {
  readonly settled: number
  /** Some recipients' inboxes do not have it yet. */
  readonly isUnfinished: boolean
}

export type Round = Delivered & {
  /** When the next delivery will be due, as far as known. */
  readonly nextDueAtMs: number | undefined
}

export const createDeliverDue = (deps: Deps) => {
  const { eventStore, readModel, ledger, open, texts, pushToUsers, seenUpTo, signal } = deps
  /**
   * What was done and is not known to be recorded: should it come up again, it is recorded again but not pushed again. Holds
   * what is on its way, and forgets it when the inbox or the ledger has it.
   */
  const outcomes = new LRUCache<string, Outcome>({ maxSize: rememberedOutcomes, sizeCalculation: () => 1 })
  const keyOf = (notificationId: NotificationId, userId: UserId): string => `${notificationId} ${userId}`

  const push = async (
    notificationId: NotificationId,
    seqs: ReadonlyMap<UserId, number>,
  ): Promise<readonly Outcome[]> => {
    if (seqs.size === 0) return []
    const [text] = await texts.many([notificationId])
    if (!text) throw new Error(`The text of ${notificationId} is missing`)
    const isWanted = (userId: UserId): boolean => seenUpTo(userId) < (seqs.get(userId) ?? 0)
    const pushed = await pushToUsers(text, [...seqs.keys()], isWanted, signal)
    for (const outcome of pushed) outcomes.set(keyOf(notificationId, outcome.userId), outcome)
    return pushed
  }

  const deliver = async ({ notificationId, bucket, pending }: OpenDelivery): Promise<Delivered> => {
    const standings = await recipientStandings(readModel, bucket, notificationId, pending, seenUpTo)
    const settled: Outcome[] = []
    const toPush = new Map<UserId, number>()
    for (const [index, userId] of pending.entries()) {
      const standing = standings[index]
      const key = keyOf(notificationId, userId)
      const remembered = outcomes.get(key)
      if (standing?.kind === 'settled') outcomes.delete(key)
      if (!standing || standing.kind === 'settled' || standing.kind === 'not-arrived') continue
      if (remembered) settled.push(remembered)
      else if (standing.kind === 'live') settled.push({ userId, state: 'live' })
      else if (standing.kind === 'erased') settled.push({ userId, state: 'cancelled', reason: 'account deleted' })
      else toPush.set(userId, standing.seq)
    }
    settled.push(...(await push(notificationId, toPush)))
    if (settled.length > 0) {
      const position = await recordOutcomes(eventStore, notificationId, settled)
      // So that the next round does not find them pending.
      if (position !== undefined && (await afterProjected(ledger, ledgerProjection, bucket, position)))
        for (const { userId } of settled) outcomes.delete(keyOf(notificationId, userId))
    }
    return { settled: settled.length, isUnfinished: standings.some(({ kind }) => kind === 'not-arrived') }
  }

  /** Settles what is due. Rejects with the failures, after the others have had their turn. */
  return async (nowMs: number): Promise<Round> => {
    const { due, nextDueAtMs } = await open.due(nowMs)
    const failures: unknown[] = []
    let settled = 0
    let isUnfinished = false
    const rest = due.values()
    const work = async (): Promise<void> => {
      for (const delivery of rest) {
        if (signal.aborted) return
        try {
          const delivered = await deliver(delivery)
          settled += delivered.settled
          isUnfinished ||= delivered.isUnfinished
        } catch (error) {
          failures.push(error)
        }
        await breathe()
      }
    }
    await Promise.all(Array.from({ length: concurrency }, work))
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} deliveries failed`)
    return { nextDueAtMs, settled, isUnfinished }
  }
}
export type DeliverDue = ReturnType<typeof createDeliverDue>
