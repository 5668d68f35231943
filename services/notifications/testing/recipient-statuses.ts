import { mapOutcomeStates, type OutcomeState } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { createCampaignProgress } from '../src/campaign/progress.ts'
import {
  attemptLookup,
  currentRecipients,
  failedRecipientsOf,
  failedRef,
  recipientsOf,
  recipientsRef,
  resentRef,
} from '../src/read-model.ts'
import type { ProjectedLog } from './projected-log.ts'
import { notificationIdAt } from './samples.ts'

/** A recipient's current attempt and its outcome, if any. */
type Status = {
  readonly state: OutcomeState | undefined
  readonly reason: string | undefined
  readonly attempt: number
}

/** Each recipient's outcome according to the inbox read model. An outcome never changes within an attempt. */
export const createRecipientStatuses = (inboxes: ProjectedLog) => {
  const states = new Map<string, OutcomeState>()

  const statusOf = async (userId: UserId, notificationId: NotificationId): Promise<Status> => {
    const bucket = bucketKey(userId)
    const [known, resent] = await inboxes.readModel.getMany([
      recipientsRef(bucket, notificationId),
      resentRef(bucket, notificationId),
    ])
    const recipients = currentRecipients(recipientsOf(known), recipientsOf(resent))
    const group = recipients.settled.find(({ userIds }) => userIds.includes(userId))
    return { state: group?.state, reason: group?.reason, attempt: attemptLookup(recipients)(userId) }
  }
  const stateOf = async (userId: UserId, notificationId: NotificationId): Promise<OutcomeState | undefined> =>
    (await statusOf(userId, notificationId)).state

  const expectSound = async (
    sends: number,
    users: readonly UserId[],
    expect: (value: unknown) => { toEqual(other: unknown): void },
  ): Promise<void> => {
    const ids = Array.from({ length: sends }, (_, n) => notificationIdAt(n + 1))
    const sums = await createCampaignProgress(inboxes.readModel).progressOf(ids)
    for (const [n, notificationId] of ids.entries()) {
      const counts: Record<OutcomeState, number> = mapOutcomeStates(() => 0)
      for (const userId of users) {
        const { state, attempt } = await statusOf(userId, notificationId)
        const key = `${userId} ${notificationId} ${attempt}`
        const before = states.get(key)
        if (before !== undefined) expect(state).toEqual(before)
        const failed = failedRecipientsOf(await inboxes.readModel.get(failedRef(bucketKey(userId), notificationId)))
        expect(failed.includes(userId)).toEqual(state === 'failed')
        if (state === undefined) continue
        states.set(key, state)
        counts[state] += 1
      }
      const sum = sums[n]
      if (!sum) continue
      const { pending, live, pushed, skipped, failed, cancelled, targeted } = sum
      expect({ live, pushed, skipped, failed, cancelled }).toEqual(counts)
      expect((sum.postponed ?? 0) <= pending).toEqual(true)
      expect(pending >= 0 && pending + live + pushed + skipped + failed + cancelled === targeted).toEqual(true)
    }
  }
  return { stateOf, statusOf, expectSound }
}
