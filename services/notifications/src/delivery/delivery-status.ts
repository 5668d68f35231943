import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadStore } from '@portal/platform/read-model/port'
import { readRecipientItems } from '../recipient-items.ts'
import { attemptLookup, itemOf, recipientsOf, recipientsRef, resentRef, wasReadByUser } from '../read-model.ts'
import type { DeliveryId } from './deferrals.ts'

/** The status of a recipient who is still listed as pending. */
type DeliveryStatus =
  /** The notification has not arrived in the inbox; retry. */
  | { readonly kind: 'not-arrived' }
  /** An outcome is recorded but not yet projected. */
  | { readonly kind: 'settled' }
  /** The recipient saw it on an open tab, or read it. */
  | { readonly kind: 'live' }
  /** `seq` is its sequence number in the inbox, in `epoch`. */
  | { readonly kind: 'pending'; readonly seq: number; readonly epoch: string }

/** The highest seq that the user's tabs have shown, in that epoch. */
export type SeenUpTo = (userId: UserId, epoch: string) => number

/** The read model's limit per read. */
const maxEntriesPerRead = 1_000

type Reads = Pick<ReadStore, 'epoch' | 'get' | 'getMany' | 'entries'>

const statusesOfPending = async (
  readModel: Reads,
  { bucket, notificationId }: DeliveryId,
  userIds: readonly UserId[],
  seenUpTo: SeenUpTo,
): Promise<readonly DeliveryStatus[]> => {
  const { epoch } = readModel
  const items = await readRecipientItems(readModel, bucket, notificationId, userIds)
  // Items, heads and reports of different epochs cannot be compared.
  if (readModel.epoch !== epoch) return userIds.map(() => ({ kind: 'not-arrived' }))
  return [...items].map(([userId, { entry, head }]): DeliveryStatus => {
    if (!entry) return { kind: 'not-arrived' }
    const item = itemOf(entry.value)
    const hasSeen = wasReadByUser(item, head) || item.seq <= seenUpTo(userId, epoch)
    return hasSeen ? { kind: 'live' } : { kind: 'pending', seq: item.seq, epoch }
  })
}

/** Reads the status of recipients of one delivery. A resend that the inbox lacks has not arrived. */
export const readDeliveryStatuses = async (
  readModel: Reads,
  delivery: DeliveryId,
  userIds: readonly UserId[],
  seenUpTo: SeenUpTo,
): Promise<ReadonlyMap<UserId, DeliveryStatus>> => {
  const { bucket, notificationId, attempt } = delivery
  const document = await readModel.get((attempt === 1 ? recipientsRef : resentRef)(bucket, notificationId))
  if (document === undefined) return new Map(userIds.map((userId) => [userId, { kind: 'not-arrived' }]))
  const recipients = recipientsOf(document)
  const attemptOf = attemptLookup(recipients)
  const pending = new Set(recipients.pending)
  const statuses = new Map(
    userIds.map((userId): [UserId, DeliveryStatus] => [
      userId,
      { kind: attemptOf(userId) < attempt ? 'not-arrived' : 'settled' },
    ]),
  )
  const open = userIds.filter((userId) => attemptOf(userId) === attempt && pending.has(userId))
  for (let from = 0; from < open.length; from += maxEntriesPerRead) {
    const some = open.slice(from, from + maxEntriesPerRead)
    const found = await statusesOfPending(readModel, delivery, some, seenUpTo)
    for (const [index, userId] of some.entries()) statuses.set(userId, found[index] ?? { kind: 'not-arrived' })
  }
  return statuses
}
