import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import {
  attemptLookup,
  type BucketRecipients,
  type BucketTally,
  type PostponedGroup,
  put,
  recipientsOf,
  recipientsRef,
  resentRef,
  tallyOf,
  tallyRef,
} from '../read-model.ts'

const sizeOf = (groups: readonly PostponedGroup[] = []): number =>
  groups.reduce((sum, { userIds }) => sum + userIds.length, 0)

/** Removes users from the postponed ones. */
export const withoutPostponed = (
  { postponed, ...recipients }: BucketRecipients,
  isRemoved: (userId: UserId) => boolean,
): BucketRecipients => {
  const left = (postponed ?? [])
    .map((group) => ({ ...group, userIds: group.userIds.filter((userId) => !isRemoved(userId)) }))
    .filter(({ userIds }) => userIds.length > 0)
  return left.length > 0 ? { ...recipients, postponed: left } : recipients
}

/** Counts how many more, or fewer, are postponed after a change of the recipients. */
export const countPostponed = (
  { postponed = 0, postponedUntil, ...tally }: BucketTally,
  before: BucketRecipients,
  after: BucketRecipients,
): BucketTally => {
  const inDocument = sizeOf(after.postponed)
  const count = postponed + inDocument - sizeOf(before.postponed)
  if (count <= 0) return tally
  // The others are of another attempt, whose document this one does not have.
  const others = count === inDocument || postponedUntil === undefined ? [] : [postponedUntil]
  const untils = [...others, ...(after.postponed ?? []).map(({ until }) => until)]
  return { ...tally, postponed: count, postponedUntil: untils.toSorted().at(-1) }
}

/** Counts pending recipients as postponed. Those who were postponed before wait until the new time. */
export const applyPostponed = async (
  { notificationId, bucket, userIds, until, attempt = 1 }: NotificationsEventOf<'RecipientsPostponed'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const ref = (attempt === 1 ? recipientsRef : resentRef)(bucket, notificationId)
  const tallyAt = tallyRef(bucket, notificationId)
  const [known, knownTally] = await view.getMany([ref, tallyAt])
  const before = recipientsOf(known)
  const attemptOf = attemptLookup(before)
  const pending = new Set(before.pending)
  const waiting = new Set(userIds.filter((userId) => pending.has(userId) && attemptOf(userId) === attempt))
  if (waiting.size === 0) return []
  const { postponed = [], ...others } = withoutPostponed(before, (userId) => waiting.has(userId))
  const same = postponed.find((group) => group.until === until)
  const group = { until, userIds: [...(same?.userIds ?? []), ...waiting] }
  const after = { ...others, postponed: [...postponed.filter((one) => one !== same), group] }
  return [put(ref, after), put(tallyAt, countPostponed(tallyOf(knownTally), before, after))]
}
