import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import type { OutcomeState } from '@portal/contracts/notifications/notification'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { campaignDecider } from '@portal/notifications/campaign/decider'
import type { CampaignEvent } from '@portal/notifications/campaign/events'
import { messagePosition } from '@portal/platform/bus/relay'
import type { RecordedEvent } from '@portal/platform/event-store/port'
import { streamOf } from '@portal/platform/event-store/stream-name'
import type { EventLog } from '../settings/open-engines.ts'

/** The time and the position in the log. */
export type Occurrence = { readonly at: string; readonly position: string }

export type RecordedOutcome = Occurrence & {
  readonly state: OutcomeState
  readonly reason?: string
  /** The first attempt is the send itself. */
  readonly attempt: number
}

/** What an admin did. */
export type RecordedAction = Occurrence & {
  readonly kind: 'cancel' | 'resend' | 'recall'
  readonly by: UserId
  /** Number of the resend to this recipient. */
  readonly attempt?: number
}

/** What the stream of a campaign says about one recipient. A missing field means that it has not happened. */
export type CampaignRecord = {
  /** Confirmed or scheduled, and due later. With a reason if it was not sent at its time. */
  readonly held?: Occurrence & { readonly sentBy: UserId; readonly dueAt: string; readonly missed?: string }
  readonly takenBack?: Occurrence & { readonly by: UserId }
  readonly sent?: Occurrence & {
    readonly sentBy: UserId
    readonly targeted: number
    readonly correlationId?: string
    /** Recorded before its recipients got it. */
    readonly isPlanned?: true
  }
  /** Set if the plan of a large campaign names the user. */
  readonly planned?: Occurrence
  /** Set if the user is a recipient. The position is that of the message on the bus. */
  readonly targeted?: Occurrence & { readonly bucket: string }
  /** Set if the campaign was stopped before the user got it. */
  readonly withheld?: Occurrence & { readonly reason: string }
  /** The push waits, or waited, until then; ISO 8601. Of the last attempt. */
  readonly postponed?: Occurrence & { readonly until: string }
  /** Outcomes of earlier attempts, oldest first. */
  readonly earlierOutcomes: readonly RecordedOutcome[]
  /** The outcome of the last attempt. */
  readonly outcome?: RecordedOutcome
  /** A resend is listed only if it included the user. */
  readonly actions: readonly RecordedAction[]
}

type Recipient = { readonly userId: UserId; readonly notificationId: NotificationId }
type Groups = readonly { readonly bucket: string; readonly userIds: readonly UserId[] }[]

/** The original time of an event. */
export const timeOf = ({ at, metadata }: Pick<RecordedEvent, 'at' | 'metadata'>): string => metadata.occurredAt ?? at

/** The index of the user's group, or -1. */
const groupWith = (recipients: Groups, userId: UserId): number =>
  recipients.findIndex(({ bucket, userIds }) => bucket === bucketKey(userId) && userIds.includes(userId))

const lastAttempt = ({ actions }: CampaignRecord): number => Math.max(1, ...actions.map(({ attempt = 1 }) => attempt))

/** The first outcome of the current attempt in the log counts. */
const withOutcome = (record: CampaignRecord, ended: DeliveryOutcome | undefined, when: Occurrence): CampaignRecord => {
  const attempt = lastAttempt(record)
  if (!ended || record.outcome || (ended.attempt ?? 1) !== attempt) return record
  const { state, reason } = ended
  return { ...record, outcome: { ...when, state, attempt, ...(reason !== undefined && { reason }) } }
}

const withResend = (record: CampaignRecord, action: RecordedAction): CampaignRecord => {
  const { outcome, postponed: _, ...others } = record
  return {
    ...others,
    earlierOutcomes: [...record.earlierOutcomes, ...(outcome ? [outcome] : [])],
    actions: [...record.actions, action],
  }
}

type EventContext = Pick<RecordedEvent, 'at' | 'position'> & {
  readonly userId: UserId
  readonly correlationId: string | undefined
}

/** Applies one event of the stream. `plans` collects the plans that name the user. */
const apply = (
  record: CampaignRecord,
  event: CampaignEvent,
  { at, position, userId, correlationId }: EventContext,
  plans: Map<string, Occurrence>,
): CampaignRecord => {
  const when = { at, position }
  const withAction = (action: Omit<RecordedAction, 'at' | 'position'>): CampaignRecord => ({
    ...record,
    actions: [...record.actions, { ...when, ...action }],
  })
  switch (event.type) {
    case 'RecipientsTargeted': {
      // The bus has one message per bucket of a chunk, in this order (campaign/publish.ts).
      const index = groupWith(event.data.recipients, userId)
      if (index < 0) return record
      const targeted = { at, position: messagePosition(position, index), bucket: bucketKey(userId) }
      return { ...record, targeted }
    }
    case 'RecipientsPlanned':
      if (groupWith(event.data.recipients, userId) >= 0) plans.set(event.data.planId, when)
      return record
    case 'CampaignSent':
    case 'CampaignPlanned': {
      const { sentBy, targeted } = event.data
      const isPlanned = event.type === 'CampaignPlanned'
      const planned = event.type === 'CampaignPlanned' ? plans.get(event.data.planId) : undefined
      const sent = { ...when, sentBy, targeted, ...(correlationId && { correlationId }) }
      return { ...record, sent: { ...sent, ...(isPlanned && { isPlanned }) }, ...(planned && { planned }) }
    }
    case 'RecipientsWithheld': {
      const { recipients, reason } = event.data
      return groupWith(recipients, userId) < 0 ? record : { ...record, withheld: { ...when, reason } }
    }
    case 'RecipientsPostponed': {
      const { recipients, until, attempt = 1 } = event.data
      const isOfUser = groupWith(recipients, userId) >= 0 && attempt === lastAttempt(record) && !record.outcome
      return isOfUser ? { ...record, postponed: { ...when, until } } : record
    }
    case 'RecipientsSettled': {
      const outcomes = event.data.settled.flatMap((some) => some.outcomes)
      const ofUser = outcomes.find(
        (outcome) => outcome.userId === userId && (outcome.attempt ?? 1) === lastAttempt(record),
      )
      return withOutcome(record, ofUser, when)
    }
    case 'CancelRequested':
      return withAction({ kind: 'cancel', by: event.data.requestedBy })
    case 'CampaignRecalled':
      return withAction({ kind: 'recall', by: event.data.recalledBy })
    case 'ResendRequested': {
      const { recipients, requestedBy, attempt } = event.data
      if (groupWith(recipients, userId) < 0) return record
      return withResend(record, { ...when, kind: 'resend', by: requestedBy, attempt })
    }
    case 'CampaignHeld':
      return { ...record, held: { ...when, sentBy: event.data.sentBy, dueAt: event.data.dueAt } }
    case 'CampaignTakenBack':
      return { ...record, takenBack: { ...when, by: event.data.takenBackBy } }
    case 'SendScheduled':
    case 'ScheduledSendChanged': {
      const { sentBy, sendAt: dueAt } = event.data
      return {
        ...record,
        held: { at: record.held?.at ?? at, position: record.held?.position ?? position, sentBy, dueAt },
      }
    }
    case 'ScheduledSendMissed':
      return record.held ? { ...record, held: { ...record.held, missed: event.data.reason } } : record
    case 'ScheduledSendDiscarded':
      return { ...record, takenBack: { ...when, by: event.data.discardedBy } }
    case 'EntriesWithdrawn':
    case 'RecipientsExported':
    case 'SenderAnswered':
      return record
  }
}

/** Reads the stream of a campaign for one recipient. */
export const loadCampaign = async (
  log: Pick<EventLog, 'read'>,
  { userId, notificationId }: Recipient,
): Promise<CampaignRecord> => {
  let record: CampaignRecord = { earlierOutcomes: [], actions: [] }
  const plans = new Map<string, Occurrence>()
  for await (const recorded of log.read(streamOf(campaignDecider.category, notificationId))) {
    const { position, metadata } = recorded
    const when = { at: timeOf(recorded), position, userId, correlationId: metadata.correlationId }
    record = apply(record, campaignDecider.parse(recorded), when, plans)
  }
  return record
}
