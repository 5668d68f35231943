import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { activityRef, countDeliveries, isDelivered } from '../campaign/campaign-activity.ts'
import {
  attemptLookup,
  type BucketRecipients,
  failedRecipientsOf,
  failedRef,
  type OutcomeGroup,
  put,
  recipientsOf,
  recipientsRef,
  tallyOf,
  tallyRef,
} from '../read-model.ts'

type End = Pick<OutcomeGroup, 'state' | 'reason' | 'isWithheld'>
const sameEnd = (a: End, b: End): boolean =>
  a.state === b.state && a.reason === b.reason && a.isWithheld === b.isWithheld

/**
 * Applies delivery outcomes. The first outcome of a recipient's current attempt wins, so writers need no lock. Later
 * outcomes, and those of non-recipients, change nothing.
 */
export const applyOutcomes = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const refs = {
    tally: tallyRef(bucket, notificationId),
    recipients: recipientsRef(bucket, notificationId),
    failed: failedRef(bucket, notificationId),
    activity: activityRef(bucket, notificationId),
  }
  const [knownTally, knownRecipients, knownFailed, knownActivity] = await view.getMany([
    refs.tally,
    refs.recipients,
    refs.failed,
    refs.activity,
  ])
  const before = recipientsOf(knownRecipients)
  const attemptOf = attemptLookup(before)
  const pending = new Set(before.pending)
  const settled = before.settled.map((group) => ({ ...group, userIds: [...group.userIds] }))
  const failed = [...failedRecipientsOf(knownFailed)]
  const failedBefore = failed.length
  const tally = { ...tallyOf(knownTally) }
  let delivered = 0
  for (const { userId, attempt = 1, ...end } of outcomes) {
    if (attempt !== attemptOf(userId) || !pending.delete(userId)) continue
    tally[end.state] += 1
    if (isDelivered(end.state)) delivered += 1
    if (end.state === 'failed') failed.push(userId)
    const group = settled.find((known) => sameEnd(known, end))
    if (group) group.userIds.push(userId)
    else settled.push({ ...end, userIds: [userId] })
  }
  if (pending.size === before.pending.length) return []
  return [
    put(refs.recipients, { ...before, pending: [...pending], settled }),
    put(refs.tally, tally),
    ...(failed.length > failedBefore ? [put(refs.failed, failed)] : []),
    ...countDeliveries(refs.activity, knownActivity, at, delivered),
  ]
}

type Attempts = NonNullable<BucketRecipients['attempts']>

/** Moves the recipients to the group of the attempt. */
const withAttempt = (attempts: Attempts, attempt: number, resent: ReadonlySet<UserId>): Attempts => {
  const others = attempts
    .filter((group) => group.attempt !== attempt)
    .map((group) => ({ ...group, userIds: group.userIds.filter((userId) => !resent.has(userId)) }))
    .filter(({ userIds }) => userIds.length > 0)
  const before = attempts.find((group) => group.attempt === attempt)?.userIds ?? []
  return [...others, { attempt, userIds: [...before, ...resent] }]
}

/** Makes failed recipients pending again. Others keep their status. */
export const applyResent = async (
  { notificationId, bucket, userIds, attempt }: NotificationsEventOf<'RecipientsResent'>['data'],
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const refs = {
    tally: tallyRef(bucket, notificationId),
    recipients: recipientsRef(bucket, notificationId),
    failed: failedRef(bucket, notificationId),
  }
  const [knownTally, knownRecipients, knownFailed] = await view.getMany([refs.tally, refs.recipients, refs.failed])
  const failed = new Set(failedRecipientsOf(knownFailed))
  const resent = new Set(userIds.filter((userId) => failed.delete(userId)))
  if (resent.size === 0) return []
  const before = recipientsOf(knownRecipients)
  const settled = before.settled
    .map((group) =>
      group.state === 'failed' ? { ...group, userIds: group.userIds.filter((userId) => !resent.has(userId)) } : group,
    )
    .filter((group) => group.userIds.length > 0)
  const tally = tallyOf(knownTally)
  const { collection, key } = refs.failed
  return [
    put(refs.recipients, {
      ...before,
      pending: [...before.pending, ...resent],
      settled,
      attempts: withAttempt(before.attempts ?? [], attempt, resent),
    }),
    put(refs.tally, { ...tally, failed: tally.failed - resent.size, resent: (tally.resent ?? 0) + resent.size }),
    failed.size > 0 ? put(refs.failed, [...failed]) : { op: 'delete', collection, key },
  ]
}
