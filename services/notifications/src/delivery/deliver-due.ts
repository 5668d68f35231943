import type { Outcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { breathe } from '@portal/platform/bus/time-slice'
import { afterProjected } from '@portal/platform/projection/after-projection'
import type { EventStore, Position } from '@portal/platform/event-store/port'
import type { ReadModel } from '@portal/platform/read-model/port'
import { LRUCache } from 'lru-cache'
import { recipientsPerEvent } from '../campaign/events.ts'
import type { Devices } from '../device/devices.ts'
import type { Texts } from '../inbox/texts.ts'
import { atOnce } from './at-once.ts'
import { ledgerProjection, type OpenDelivery, readErased } from './ledger-projection.ts'
import type { OpenDeliveries } from './open-deliveries.ts'
import { noDevice, type PushToUsers } from './push-to-users.ts'
import { recipientStandings, type SeenUpTo } from './recipient-standing.ts'
import { recordOutcomes } from './record-outcomes.ts'

/** Worked on at a time: small sends share a write of the log, the buckets of a large one do not wait for each other. */
const campaignsAtOnce = 32
const deliveriesAtOnce = 4
/** Far more than are on their way at a time. */
const rememberedOutcomes = 100_000

type Deps = {
  readonly eventStore: Pick<EventStore, 'append'>
  readonly readModel: Pick<ReadModel, 'get' | 'getMany' | 'entries'>
  readonly ledger: Pick<ReadModel, 'get' | 'whenApplied'>
  readonly open: OpenDeliveries
  readonly texts: Texts
  readonly devices: Pick<Devices, 'holders'>
  readonly pushToUsers: PushToUsers
  readonly seenUpTo: SeenUpTo
  /** Has `seenUpTo` know what is known of these users anywhere. */
  readonly learnSeen: (userIds: readonly UserId[]) => Promise<void>
  readonly signal: AbortSignal
}

/** What came of one bucket of a send. */
type Bucketful = {
  readonly settled: readonly Outcome[]
  /** Some recipients' inboxes do not have it yet. */
  readonly isUnfinished: boolean
}

type RoundSoFar = {
  readonly settled: string[]
  /** Up to where each bucket's outcomes are recorded. */
  readonly positions: Map<string, Position>
  isUnfinished: boolean
}

type Round = {
  readonly settled: number
  readonly isUnfinished: boolean
  /** When the next delivery will be due, as far as known. */
  readonly nextDueAtMs: number | undefined
}

const cancelled = (userId: UserId): Outcome => ({ userId, state: 'cancelled', reason: 'account deleted' })

export const createDeliverDue = (deps: Deps) => {
  const { eventStore, readModel, ledger, open, texts, devices, pushToUsers, seenUpTo, learnSeen, signal } = deps
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

  /** Of whom there is more to know than that they have no device. */
  const closerLook = async ({ notificationId, pending, active }: OpenDelivery): Promise<ReadonlySet<UserId>> => {
    const holders = await devices.holders(pending)
    const isWorthIt = (userId: UserId) =>
      holders.has(userId) || seenUpTo(userId) > 0 || outcomes.has(keyOf(notificationId, userId))
    return new Set([...pending.filter(isWorthIt), ...active])
  }

  /** What to record of one bucket's recipients; pushes to who has to be pushed to. */
  const outcomesOf = async (delivery: OpenDelivery): Promise<Bucketful> => {
    const { notificationId, bucket, pending, active } = delivery
    // What was told may have been lost on the way; nobody is to be pushed what they have on the screen.
    await learnSeen([...pending, ...active])
    const [erased, looked] = await Promise.all([readErased(ledger, bucket), closerLook(delivery)])
    const settled: Outcome[] = []
    for (const userId of pending)
      if (!looked.has(userId)) settled.push(erased.has(userId) ? cancelled(userId) : noDevice(userId))

    const standings = await recipientStandings(readModel, bucket, notificationId, [...looked], seenUpTo)
    const toPush = new Map<UserId, number>()
    let isUnfinished = false
    for (const [userId, standing] of standings) {
      const key = keyOf(notificationId, userId)
      const remembered = outcomes.get(key)
      if (standing.kind === 'settled') outcomes.delete(key)
      else if (standing.kind === 'not-arrived') isUnfinished = true
      else if (remembered) settled.push(remembered)
      else if (standing.kind === 'live') settled.push({ userId, state: 'live' })
      else if (erased.has(userId)) settled.push(cancelled(userId))
      else toPush.set(userId, standing.seq)
    }
    return { settled: [...settled, ...(await push(notificationId, toPush))], isUnfinished }
  }

  /** Records by the chunk: a crash repeats no more than that, and a send to thousands costs the log few writes. */
  const settleCampaign = async (
    notificationId: NotificationId,
    deliveries: readonly OpenDelivery[],
    round: RoundSoFar,
  ): Promise<void> => {
    let gathered: Outcome[] = []
    const record = async (): Promise<void> => {
      const recorded = gathered
      gathered = []
      if (recorded.length === 0) return
      const position = await recordOutcomes(eventStore, notificationId, recorded)
      for (const { userId } of recorded) {
        round.settled.push(keyOf(notificationId, userId))
        round.positions.set(bucketKey(userId), position)
      }
    }
    await atOnce(deliveriesAtOnce, deliveries, async (delivery) => {
      if (signal.aborted) return
      const { settled, isUnfinished } = await outcomesOf(delivery)
      round.isUnfinished ||= isUnfinished
      gathered.push(...settled)
      if (gathered.length >= recipientsPerEvent) await record()
      await breathe()
    }).finally(record)
  }

  /**
   * Waits until the ledger has what was recorded, so that the next round does not find it pending. Where that takes long, the
   * round counts as unfinished: there is no point in going on at once.
   */
  const untilInLedger = async (round: RoundSoFar): Promise<void> => {
    const applied = await Promise.all(
      [...round.positions].map(([bucket, position]) => afterProjected(ledger, ledgerProjection, bucket, position)),
    )
    if (applied.every(Boolean)) for (const key of round.settled) outcomes.delete(key)
    else round.isUnfinished = true
  }

  /** Settles what is due. Rejects with the failures, after everything else has had its turn. */
  return async (nowMs: number): Promise<Round> => {
    const { due, nextDueAtMs } = await open.due(nowMs)
    const round: RoundSoFar = { settled: [], positions: new Map(), isUnfinished: false }
    const campaigns = Map.groupBy(due, ({ notificationId }) => notificationId)
    await atOnce(campaignsAtOnce, campaigns, ([notificationId, deliveries]) =>
      settleCampaign(notificationId, deliveries, round),
    ).finally(() => untilInLedger(round))
    return { nextDueAtMs, settled: round.settled.length, isUnfinished: round.isUnfinished }
  }
}
export type DeliverDue = ReturnType<typeof createDeliverDue>
