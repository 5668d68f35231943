import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import type { ClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { handleCommand } from '@portal/platform/decider/handle-command'
import type { EventMetadata, EventStore } from '@portal/platform/event-store/port'
import { waitForProjection } from '@portal/platform/projection/wait-for-projection'
import type { Checkpoints, ReadStore } from '@portal/platform/read-model/port'
import type { Devices } from '../device/devices.ts'
import type { KnownRecipients } from '../known-recipients/known-recipients.ts'
import { failedRecipientsOf, failedRef, inboxProjectionRef } from '../read-model.ts'
import { actionAttempts, type CampaignStates, type LoadedCampaign, type RecordedResend } from './campaign-states.ts'
import { campaignDecider, type CampaignRejection, type ResendCampaign } from '../campaign/decider.ts'

/** The read model's limit per read. */
const maxDocumentsPerRead = 10_000

type ResendableDeps = {
  readonly readModel: Pick<ReadStore, 'getMany'>
  readonly devices: Pick<Devices, 'holders'>
  readonly recipients: Pick<KnownRecipients, 'find'>
}

/**
 * Reads the recipients whose push failed and whom a resend can reach: they have a device now, and their account is neither
 * deactivated nor erased.
 */
export const createResendableRecipients =
  ({ readModel, devices, recipients }: ResendableDeps) =>
  async (notificationId: NotificationId, buckets: readonly string[]): Promise<readonly UserId[]> => {
    const documents = await readModel.getMany(buckets.map((bucket) => failedRef(bucket, notificationId)))
    const known = await recipients.find(documents.flatMap(failedRecipientsOf))
    const failed = [...known]
    const resendable: UserId[] = []
    for (let from = 0; from < failed.length; from += maxDocumentsPerRead)
      resendable.push(...(await devices.holders(failed.slice(from, from + maxDocumentsPerRead))))
    return resendable
  }
export type ResendableRecipients = ReturnType<typeof createResendableRecipients>

type ResendRequest = {
  readonly notificationId: NotificationId
  readonly requestedBy: UserId
  readonly reason: string
}

type ResendCampaignDeps = {
  readonly eventStore: Pick<EventStore, 'read' | 'append'>
  readonly readModel: Pick<Checkpoints, 'whenApplied'>
  readonly resendable: ResendableRecipients
  readonly states: CampaignStates
  readonly clockAndIds: Pick<ClockAndIds, 'newId'>
  readonly maxRecipientsPerAppend: number
}

/** The id of the n-th event in an append of the request. */
type EventIdOf = (append: number, index: number) => string

/** The events of an earlier run of the same request. */
const recordedBefore = ({ resends }: LoadedCampaign, eventIdOf: EventIdOf): readonly RecordedResend[] => {
  const byId = new Map(resends.map((resend) => [resend.eventId, resend]))
  const recorded: RecordedResend[] = []
  for (let append = 0; byId.has(eventIdOf(append, 0)); append++) {
    for (let index = 0; ; index++) {
      const resend = byId.get(eventIdOf(append, index))
      if (!resend) break
      recorded.push(resend)
    }
  }
  return recorded
}

const countOf = (resends: readonly RecordedResend[]): number =>
  resends.reduce((sum, { recipients }) => sum + recipients, 0)

/**
 * Pushes a campaign again to the recipients whose push failed and who have a device now. Returns their number. With a
 * key, a repeated request returns the same.
 */
export const createResendCampaign = (deps: ResendCampaignDeps) => {
  const { eventStore, readModel, resendable, states, clockAndIds, maxRecipientsPerAppend } = deps

  /** False after a timeout. */
  const isProjected = async (resends: readonly RecordedResend[]): Promise<boolean> => {
    const last = new Map(
      resends.flatMap(({ buckets, position }) => buckets.map((bucket) => [bucket, position] as const)),
    )
    const waits = [...last].map(([partition, eventPosition]) =>
      waitForProjection(readModel, { projection: inboxProjectionRef, partition, eventPosition }),
    )
    return (await Promise.all(waits)).every(Boolean)
  }

  /** Appends in parts. A conflict with another resend ends it, and the rest stays failed. */
  const append = async (
    command: Omit<ResendCampaign, 'userIds'>,
    userIds: readonly UserId[],
    eventIdOf: EventIdOf,
    metadata: EventMetadata,
  ): Promise<Result<void, CampaignRejection>> => {
    const { notificationId } = command
    for (let from = 0, part = 0; part === 0 || from < userIds.length; from += maxRecipientsPerAppend, part++) {
      const some = { ...command, userIds: userIds.slice(from, from + maxRecipientsPerAppend), continues: part > 0 }
      const decided = await handleCommand(eventStore, campaignDecider, notificationId, some, {
        eventId: (index) => eventIdOf(part, index),
        known: await states(notificationId),
        maxAttempts: actionAttempts,
        metadata,
      })
      if (!decided.ok) return part === 0 ? decided : ok(undefined)
    }
    return ok(undefined)
  }

  return async (
    request: ResendRequest,
    idempotencyKey: string | undefined,
    metadata: EventMetadata,
  ): Promise<Result<number, CampaignRejection>> => {
    const { notificationId, requestedBy } = request
    const requestId = idempotencyKey ?? clockAndIds.newId()
    const eventIdOf: EventIdOf = (part, index) =>
      deterministicEventId('resent', notificationId, requestedBy, requestId, String(part), String(index))

    const known = await states(notificationId)
    const earlier = recordedBefore(known, eventIdOf)
    if (earlier.length > 0) return ok(countOf(earlier))
    // Until an earlier resend is projected, its recipients still look failed.
    if (!(await isProjected(known.resends))) return rejected({ reason: 'resent-meanwhile' })

    const userIds = await resendable(notificationId, known.state.sent?.buckets ?? [])
    const command = { type: 'ResendCampaign', ...request, attempt: known.state.attempt + 1 } as const
    const appended = await append(command, userIds, eventIdOf, metadata)
    const recorded = recordedBefore(await states(notificationId), eventIdOf)
    if (recorded.length === 0 && !appended.ok) return appended
    await isProjected(recorded)
    return ok(countOf(recorded))
  }
}
export type ResendNotification = ReturnType<typeof createResendCampaign>
