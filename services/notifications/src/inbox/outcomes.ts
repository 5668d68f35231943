import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import type { NotificationsEventOf } from '../bus-messages.ts'
import { activityRef, countDeliveries, isDelivered } from '../activity/campaign-activity.ts'
import { countPostponed, withoutPostponed } from './postponed.ts'
import {
  attemptLookup,
  type BucketRecipients,
  failedRecipientsOf,
  failedRef,
  type OutcomeGroup,
  put,
  recipientsOf,
  recipientsRef,
  resentRef,
  tallyOf,
  tallyRef,
} from '../read-model.ts'

type End = Pick<OutcomeGroup, 'state' | 'reason' | 'isWithheld'>
const sameEnd = (a: End, b: End): boolean =>
  a.state === b.state && a.reason === b.reason && a.isWithheld === b.isWithheld

type Ended = {
  readonly before: BucketRecipients
  readonly recipients: BucketRecipients
  readonly outcomes: readonly DeliveryOutcome[]
}

/** Moves pending recipients to the groups of their outcomes. Returns the outcomes that counted. */
const settle = (before: BucketRecipients, outcomes: readonly DeliveryOutcome[]): Ended => {
  const attemptOf = attemptLookup(before)
  const pending = new Set(before.pending)
  const settled = before.settled.map((group) => ({ ...group, userIds: [...group.userIds] }))
  const counted = outcomes.filter(({ userId, attempt = 1, state, reason }) => {
    if (attempt !== attemptOf(userId) || !pending.delete(userId)) return false
    const end = { state, ...(reason !== undefined && { reason }) }
    const group = settled.find((known) => sameEnd(known, end))
    if (group) group.userIds.push(userId)
    else settled.push({ ...end, userIds: [userId] })
    return true
  })
  const waiting = withoutPostponed(before, (userId) => !pending.has(userId))
  return { before, recipients: { ...waiting, pending: [...pending], settled }, outcomes: counted }
}

const noRecipients: BucketRecipients = { pending: [], settled: [] }
const nothing: Ended = { before: noRecipients, recipients: noRecipients, outcomes: [] }

/**
 * Applies delivery outcomes. The first outcome of a recipient's current attempt wins, so writers need no lock. Later
 * outcomes, and those of non-recipients, change nothing.
 */
export const applyOutcomes = async (
  { notificationId, bucket, outcomes }: NotificationsEventOf<'RecipientsSettled'>['data'],
  at: string,
  view: ReadModelView,
): Promise<readonly Write[]> => {
  const settleIn = async (ref: DocumentRef, some: readonly DeliveryOutcome[]): Promise<Ended> =>
    some.length === 0 ? nothing : settle(recipientsOf(await view.get(ref)), some)
  const refs = {
    tally: tallyRef(bucket, notificationId),
    failed: failedRef(bucket, notificationId),
    activity: activityRef(bucket, notificationId),
    recipients: recipientsRef(bucket, notificationId),
    resent: resentRef(bucket, notificationId),
  }
  const [[knownTally, knownFailed, knownActivity], first, later] = await Promise.all([
    view.getMany([refs.tally, refs.failed, refs.activity]),
    settleIn(
      refs.recipients,
      outcomes.filter(({ attempt }) => attempt === undefined),
    ),
    settleIn(
      refs.resent,
      outcomes.filter(({ attempt }) => attempt !== undefined),
    ),
  ])
  const ended = [...first.outcomes, ...later.outcomes]
  if (ended.length === 0) return []
  const tally = { ...tallyOf(knownTally) }
  for (const { state } of ended) tally[state] += 1
  const counted = [first, later].reduce((sums, one) => countPostponed(sums, one.before, one.recipients), tally)
  const failed = ended.filter(({ state }) => state === 'failed').map(({ userId }) => userId)
  const delivered = ended.filter(({ state }) => isDelivered(state)).length
  return [
    ...(first.outcomes.length > 0 ? [put(refs.recipients, first.recipients)] : []),
    ...(later.outcomes.length > 0 ? [put(refs.resent, later.recipients)] : []),
    put(refs.tally, counted),
    ...(failed.length > 0 ? [put(refs.failed, [...failedRecipientsOf(knownFailed), ...failed])] : []),
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
    resent: resentRef(bucket, notificationId),
    failed: failedRef(bucket, notificationId),
  }
  const [knownTally, knownResent, knownFailed] = await view.getMany([refs.tally, refs.resent, refs.failed])
  const failed = new Set(failedRecipientsOf(knownFailed))
  const resent = new Set(userIds.filter((userId) => failed.delete(userId)))
  if (resent.size === 0) return []
  const { pending, settled, attempts = [], ...others } = recipientsOf(knownResent)
  const tally = tallyOf(knownTally)
  const { collection, key } = refs.failed
  return [
    put(refs.resent, {
      ...others,
      pending: [...pending, ...resent],
      settled: settled
        .map((group) => ({ ...group, userIds: group.userIds.filter((userId) => !resent.has(userId)) }))
        .filter((group) => group.userIds.length > 0),
      attempts: withAttempt(attempts, attempt, resent),
    }),
    put(refs.tally, { ...tally, failed: tally.failed - resent.size, resent: (tally.resent ?? 0) + resent.size }),
    failed.size > 0 ? put(refs.failed, [...failed]) : { op: 'delete', collection, key },
  ]
}
