import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand, type LoadedState } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { campaignDecider, type CampaignState, type CampaignContent } from './decider.ts'
import { type CampaignEventOf, groupByBucket, packChunks, recipientsPerAppend, recipientsPerEvent } from './events.ts'

/** 10,000 ids are 400 KB of JSON, well below the limit of an append. */
const chunksPerAppend = recipientsPerAppend / recipientsPerEvent

type PlanCampaignDeps = {
  readonly eventStore: Pick<EventStore, 'append' | 'read'>
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
}

/**
 * Records a campaign that is held, or has more recipients than one append can have: first the recipients as a plan, then
 * its acceptance.
 * A plan without acceptance has no effect, so a crash in between leaves nothing that anyone sees, and a retry plans again.
 */
export const createPlanCampaign = ({ eventStore, clockAndIds }: PlanCampaignDeps) => {
  /** Returns the last revision, or undefined if a concurrent request has changed the stream. */
  const recordRecipients = async (
    stream: string,
    planId: string,
    chunks: readonly CampaignEventOf<'RecipientsPlanned'>['data']['recipients'][],
    before: LoadedState<CampaignState>['revision'],
  ): Promise<LoadedState<CampaignState>['revision'] | undefined> => {
    let revision: typeof before | undefined = before
    for (let from = 0; from < chunks.length; from += chunksPerAppend) {
      const events = chunks.slice(from, from + chunksPerAppend).map((recipients, index) => {
        const event: CampaignEventOf<'RecipientsPlanned'> = { type: 'RecipientsPlanned', data: { planId, recipients } }
        return { id: deterministicEventId('recipients-planned', planId, String(from + index)), ...event }
      })
      // Serializing an append takes milliseconds: yield to other requests between two.
      await nextTurn()
      let answer = await eventStore.append(stream, revision ?? 'any', events)
      if (answer.kind === 'conflict') {
        revision = undefined
        answer = await eventStore.append(stream, 'any', events)
      }
      if (revision !== undefined && answer.kind === 'appended') revision = answer.revision
    }
    return revision
  }

  return async (
    content: CampaignContent,
    userIds: readonly UserId[],
    before: LoadedState<CampaignState>,
    metadata: EventMetadata,
    /** When it is sent; ISO 8601. At once if absent. */
    dueAt?: string,
  ) => {
    const { notificationId } = content.text
    const planId = clockAndIds.newId()
    const groups = groupByBucket(userIds, bucketKey)
    const chunks = packChunks(groups).map((chunk) =>
      chunk.map(({ bucket, items }) => ({ bucket, userIds: [...items] })),
    )
    const stream = streamOf(campaignDecider.category, notificationId)
    const revision = await recordRecipients(stream, planId, chunks, before.revision)
    const planned = { ...content, planId, targeted: userIds.length, buckets: groups.map(({ bucket }) => bucket) }
    const command =
      dueAt === undefined
        ? { ...planned, type: 'PlanCampaign' as const }
        : { ...planned, type: 'HoldCampaign' as const, dueAt }
    return handleCommand(eventStore, campaignDecider, notificationId, command, {
      eventId: () => deterministicEventId('campaign-planned', planId),
      metadata,
      // After a conflict the stream must be read, because the other request may have been accepted.
      known: revision === undefined ? undefined : { state: before.state, revision },
    })
  }
}
