import type { ScheduledContent, ScheduledSend } from '@portal/contracts/notifications/scheduled-send'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { loadState } from '@portal/platform/decider/handle-command'
import type { EventStore } from '@portal/platform/event-store/port'
import type { ReadStore } from '@portal/platform/read-model/port'
import type { PeopleIndex, PeopleSnapshot } from '../audience/people-index.ts'
import { campaignDecider } from '../campaign/decider.ts'
import type { SendRejection } from '../campaign/record-campaign.ts'
import type { RecordedAudience } from '../campaign/schedule.ts'
import { type ListedSend, readScheduled } from './scheduled-list.ts'

type PresentScheduledDeps = {
  readonly eventStore: Pick<EventStore, 'read'>
  readonly readModel: Pick<ReadStore, 'range'>
  readonly people: Pick<PeopleIndex, 'snapshot'>
  readonly now: ClockAndIds['now']
}

/** Users are recorded by their ids. Those who were deleted since have no address. */
const withContacts = ({ contactIds, ...rule }: RecordedAudience, { person }: PeopleSnapshot) => {
  if (!contactIds) return rule
  const addresses = contactIds.flatMap((userId) => person(userId)?.personalEmail ?? [])
  return { ...rule, contacts: addresses.filter((address) => address !== '') }
}

/** Presents the scheduled sends to admins. */
export const createPresentScheduled = ({ eventStore, readModel, people, now }: PresentScheduledDeps) => ({
  all: async (): Promise<ScheduledSend[]> => {
    const [listed, { person }] = await Promise.all([readScheduled(readModel), people.snapshot()])
    const nowMs = now().getTime()
    const adminOf = (userId: UserId) => ({ userId, fullName: person(userId)?.fullName ?? '' })
    return listed.map(({ sentBy, changedBy, sendAtMs, ...send }: ListedSend) => ({
      ...send,
      dueInMs: sendAtMs - nowMs,
      scheduledBy: adminOf(sentBy),
      ...(changedBy && { changedBy: adminOf(changedBy) }),
    }))
  },
  one: async (notificationId: NotificationId): Promise<Result<ScheduledContent, SendRejection>> => {
    const { state } = await loadState(eventStore, campaignDecider, notificationId)
    const { scheduled, sent } = state
    if (!scheduled || sent || scheduled.isDiscarded) return rejected({ reason: 'not-sent' })
    const { text, userIds, audience, sendAt } = scheduled.content
    const { notificationId: _, hasPlaceholders: __, ...shown } = text
    return ok({
      ...shown,
      ...(userIds && { userIds }),
      ...(audience && { audience: withContacts(audience, await people.snapshot()) }),
      sendAt,
      version: scheduled.version,
    })
  },
})
export type PresentScheduled = ReturnType<typeof createPresentScheduled>
