import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { CampaignEvent } from '@portal/notifications/campaign/events'
import { inWorld, users, type World } from '@portal/notifications/testing/inbox-world'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { loadFrom } from '../../testing/explain/load-from.ts'
import { explainDelivery } from './explanation.ts'

/** A resend to one recipient whose push has failed, and its outcome. */
const resend = (userId: UserId, notificationId: NotificationId, attempt: number): readonly CampaignEvent[] => [
  {
    type: 'ResendRequested',
    data: {
      notificationId,
      requestedBy: userIdAt(0),
      attempt,
      recipients: [{ bucket: bucketKey(userId), userIds: [userId] }],
    },
  },
  {
    type: 'RecipientsSettled',
    data: {
      notificationId,
      settled: [
        { bucket: bucketKey(userId), outcomes: [{ userId, state: attempt % 2 ? 'pushed' : 'failed', attempt }] },
      ],
    },
  },
]

const resendFailed = async ({ log, sends }: World): Promise<void> => {
  for (const [index, userId] of users.entries()) {
    for (let n = 1; n <= sends(); n++) {
      const notificationId = notificationIdAt(n)
      const { outcome } = await loadFrom(log, { userId, notificationId })
      if (outcome?.state !== 'failed') continue
      // At the end some wait for their outcome, some have failed again, and some have got a push.
      const events = [...resend(userId, notificationId, 2), ...resend(userId, notificationId, 3)].slice(
        0,
        1 + index + (n % 2),
      )
      log.append(`campaign-${notificationId}`, ...events)
    }
  }
}

it('agrees with what the console shows, once everything is projected', { timeout: 60_000 }, async () => {
  await fc.assert(
    inWorld(async (world, actions) => {
      const { log, act, sends } = world
      for (const next of actions) await act(next)
      await resendFailed(world)
      await log.project()
      for (const userId of users) {
        for (let n = 1; n <= sends(); n++) {
          const record = await loadFrom(log, { userId, notificationId: notificationIdAt(n) })
          expect(explainDelivery({ ...record, registeredAt: '2025-01-01' }).finding).toBeUndefined()
        }
      }
    }),
    { numRuns: 150 },
  )
})
