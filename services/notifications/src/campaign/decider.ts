import { deliveryReasons } from '@portal/contracts/notifications/delivery-reasons'
import type { NotificationText } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { limits } from '@portal/contracts/shared/rules'
import { type Decider, ok, rejected, type Result } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { type CampaignEvent, type CampaignEventOf, campaignEventSchema, groupByBucket, packChunks } from './events.ts'
import {
  type ChangeScheduledSend,
  changeScheduledSend,
  type DiscardScheduledSend,
  discardScheduledSend,
  type MissScheduledSend,
  missScheduledSend,
  scheduledAfter,
  type ScheduledState,
  type ScheduledVersion,
  type ScheduleRejection,
  type ScheduleSend,
  scheduleSend,
  sendScheduledRejection,
} from './schedule.ts'

/** What an admin sends. */
export type CampaignContent = {
  readonly text: NotificationText
  readonly sentBy: UserId
  /** Fingerprint of the request, if it had an Idempotency-Key. */
  readonly fingerprint?: string
  readonly remindsOf?: NotificationId
  /** Set to send what is scheduled. */
  readonly scheduled?: ScheduledVersion
}

export type SendCampaign = CampaignContent & {
  readonly type: 'SendCampaign'
  readonly userIds: readonly UserId[]
  /** The existing users among `userIds`. */
  readonly knownUserIds: ReadonlySet<UserId>
}

/** Accepts a campaign whose recipients are recorded as RecipientsPlanned. */
type PlanCampaign = CampaignContent & {
  readonly type: 'PlanCampaign'
  readonly planId: string
  readonly targeted: number
  readonly buckets: readonly string[]
}

/** Accepts a campaign that is sent when it is due. Its recipients are recorded as RecipientsPlanned. */
type HoldCampaign = Omit<PlanCampaign, 'type'> & { readonly type: 'HoldCampaign'; readonly dueAt: string }

/** Sends a held campaign: at once to the given recipients, or, without them, as its plan. */
type SendHeldCampaign = { readonly type: 'SendHeldCampaign'; readonly chunks: readonly PlannedChunk[] | undefined }

type TakeBackCampaign = {
  readonly type: 'TakeBackCampaign'
  readonly notificationId: NotificationId
  readonly takenBackBy: UserId
}

type RecordAnswer = {
  readonly type: 'RecordAnswer'
  readonly notificationId: NotificationId
  readonly successCount: number
}

export type PlannedChunk = CampaignEventOf<'RecipientsPlanned'>['data']['recipients']

/** The next planned chunks get the notification, unless the campaign was stopped. */
type DistributeChunks = {
  readonly type: 'DistributeChunks'
  readonly text: NotificationText
  /** The number of chunks before these in the plan. */
  readonly after: number
  readonly chunks: readonly PlannedChunk[]
}

type AdminAction = {
  readonly notificationId: NotificationId
  readonly requestedBy: UserId
  readonly reason?: string
}

type CancelCampaign = AdminAction & { readonly type: 'CancelCampaign' }
type RecallCampaign = AdminAction & { readonly type: 'RecallCampaign' }
export type ResendCampaign = AdminAction & {
  readonly type: 'ResendCampaign'
  /** The failed recipients for whom a push can succeed. */
  readonly userIds: readonly UserId[]
  /** The attempt after the one in which they failed. */
  readonly attempt: number
  /** Adds recipients to the attempt, because they do not fit into one append. */
  readonly continues?: boolean
}
type RecordExport = AdminAction & { readonly type: 'RecordExport'; readonly rows: number }

type CampaignCommand =
  | SendCampaign
  | PlanCampaign
  | HoldCampaign
  | SendHeldCampaign
  | TakeBackCampaign
  | ScheduleSend
  | ChangeScheduledSend
  | DiscardScheduledSend
  | MissScheduledSend
  | RecordAnswer
  | DistributeChunks
  | CancelCampaign
  | RecallCampaign
  | ResendCampaign
  | RecordExport

export type CampaignState = {
  /** A confirmed send, also after it was sent. */
  readonly held?: CampaignEventOf<'CampaignHeld'>['data']
  readonly isTakenBack: boolean
  /** A scheduled send, also after it was sent or discarded. */
  readonly scheduled?: ScheduledState | undefined
  readonly sent?: {
    readonly targeted: number
    readonly fingerprint?: string | undefined
    readonly buckets: readonly string[]
  }
  /** Recipients who got the notification, by bucket. */
  readonly distributed: Readonly<Record<string, number>>
  /** Chunks of recipients who got it, or from whom it was withheld. */
  readonly chunks: number
  /** Open tabs that had shown it when the sender was answered. */
  readonly successCount?: number
  /** The number of the last attempt; 1 until the first resend. */
  readonly attempt: number
  /** The attempt that was cancelled last. */
  readonly cancelledAttempt?: number
  readonly isRecalled: boolean
}

export type CampaignRejection =
  | { readonly reason: 'key-used-for-another' }
  | { readonly reason: 'none-selected' }
  | { readonly reason: 'selected-twice' | 'unknown-users'; readonly userIds: readonly UserId[] }
  | { readonly reason: 'not-sent' | 'recalled' | 'nothing-to-resend' | 'too-many-attempts' | 'resent-meanwhile' }
  | { readonly reason: 'taken-back' | 'already-sent' }
  | ScheduleRejection

type Decided = Result<readonly CampaignEvent[], CampaignRejection>

/** The send and four resends. */
export const maxAttempts = limits.attemptsPerNotification

/** Inbox entries withdrawn per message: three writes each. */
const entriesPerWithdrawal = 1_000

const repeatedIds = (userIds: readonly UserId[]): readonly UserId[] => {
  const once = new Set<UserId>()
  const repeated = new Set<UserId>()
  for (const userId of userIds) {
    if (once.has(userId)) repeated.add(userId)
    once.add(userId)
  }
  return [...repeated]
}

/** Undefined for a new campaign. A repeated request changes nothing. */
export const earlierDecision = (
  { fingerprint, scheduled: version }: CampaignContent,
  { sent, held, isTakenBack, scheduled }: CampaignState,
): Decided | undefined => {
  const known = sent ?? held
  if (!known) {
    const rejection = scheduled && sendScheduledRejection(scheduled, version)
    return rejection && rejected(rejection)
  }
  const isSame = fingerprint !== undefined && known.fingerprint === fingerprint
  if (!isSame) return rejected({ reason: 'key-used-for-another' })
  return isTakenBack ? rejected({ reason: 'taken-back' }) : ok([])
}

/** Why these users cannot get a campaign. */
export const recipientsRejection = (
  userIds: readonly UserId[],
  known: ReadonlySet<UserId>,
): CampaignRejection | undefined => {
  if (userIds.length === 0) return { reason: 'none-selected' }
  const repeated = repeatedIds(userIds)
  if (repeated.length > 0) return { reason: 'selected-twice', userIds: repeated }
  const unknown = userIds.filter((userId) => !known.has(userId))
  return unknown.length > 0 ? { reason: 'unknown-users', userIds: unknown } : undefined
}

const sentFieldsOf = ({ text, sentBy, fingerprint, remindsOf }: CampaignContent) => ({
  text,
  sentBy,
  ...(fingerprint === undefined ? {} : { fingerprint }),
  ...(remindsOf === undefined ? {} : { remindsOf }),
})

const send = (command: SendCampaign, state: CampaignState): Decided => {
  const { text, userIds, knownUserIds } = command
  const before = earlierDecision(command, state)
  if (before) return before
  const rejection = recipientsRejection(userIds, knownUserIds)
  if (rejection) return rejected(rejection)

  const groups = groupByBucket(userIds, bucketKey)
  const buckets = groups.map(({ bucket }) => bucket)
  return ok([
    ...packChunks(groups).map((chunk): CampaignEvent => ({
      type: 'RecipientsTargeted',
      data: { text, recipients: chunk.map(({ bucket, items }) => ({ bucket, userIds: [...items] })) },
    })),
    { type: 'CampaignSent', data: { ...sentFieldsOf(command), targeted: userIds.length, buckets } },
  ])
}

const plan = (command: PlanCampaign, state: CampaignState): Decided => {
  const { planId, targeted, buckets } = command
  const data = { ...sentFieldsOf(command), targeted, buckets: [...buckets], planId }
  return earlierDecision(command, state) ?? ok([{ type: 'CampaignPlanned', data }])
}

const hold = (command: HoldCampaign, state: CampaignState): Decided => {
  const { planId, targeted, buckets, dueAt } = command
  const data = { ...sentFieldsOf(command), targeted, buckets: [...buckets], planId, dueAt }
  return earlierDecision(command, state) ?? ok([{ type: 'CampaignHeld', data }])
}

/** Several processes may try when it is due. */
const sendHeld = ({ chunks }: SendHeldCampaign, { held, sent, isTakenBack }: CampaignState): Decided => {
  if (!held) return rejected({ reason: 'not-sent' })
  if (isTakenBack) return rejected({ reason: 'taken-back' })
  if (sent) return ok([])
  const { planId, dueAt: _, ...data } = held
  if (!chunks) return ok([{ type: 'CampaignPlanned', data: { ...data, planId } }])
  return ok([
    ...chunks.map((recipients): CampaignEvent => ({
      type: 'RecipientsTargeted',
      data: { text: data.text, recipients },
    })),
    { type: 'CampaignSent', data },
  ])
}

const takeBack = (
  { notificationId, takenBackBy }: TakeBackCampaign,
  { held, sent, isTakenBack }: CampaignState,
): Decided => {
  if (!held) return rejected({ reason: 'not-sent' })
  if (sent) return rejected({ reason: 'already-sent' })
  if (isTakenBack) return ok([])
  return ok([{ type: 'CampaignTakenBack', data: { notificationId, sentBy: held.sentBy, takenBackBy } }])
}

/** Changes nothing if another process has distributed the chunks. */
const distribute = ({ text, after, chunks }: DistributeChunks, state: CampaignState): readonly CampaignEvent[] => {
  const { isRecalled, cancelledAttempt } = state
  if (state.chunks !== after) return []
  if (!isRecalled && cancelledAttempt === undefined) {
    return chunks.map((recipients) => ({ type: 'RecipientsTargeted', data: { text, recipients } }))
  }
  const { notificationId } = text
  const reason = isRecalled ? deliveryReasons.withdrawn : deliveryReasons.cancelledByAdmin
  return chunks.map((recipients) => ({ type: 'RecipientsWithheld', data: { notificationId, recipients, reason } }))
}

const withReason = ({ reason }: AdminAction) => (reason ? { reason } : {})

const cancel = (command: CancelCampaign, { sent, attempt, cancelledAttempt, isRecalled }: CampaignState): Decided => {
  if (!sent) return rejected({ reason: 'not-sent' })
  if (isRecalled || cancelledAttempt === attempt) return ok([])
  const { notificationId, requestedBy } = command
  const data = { notificationId, requestedBy, ...withReason(command), buckets: [...sent.buckets] }
  return ok([{ type: 'CancelRequested', data }])
}

const recall = (command: RecallCampaign, { sent, distributed, isRecalled }: CampaignState): Decided => {
  if (!sent) return rejected({ reason: 'not-sent' })
  if (isRecalled) return ok([])
  const { notificationId, requestedBy: recalledBy } = command
  const buckets = [...sent.buckets]
  const largestBucket = Math.max(0, ...Object.values(distributed))
  const slices = Math.ceil(largestBucket / entriesPerWithdrawal)
  return ok([
    { type: 'CampaignRecalled', data: { notificationId, recalledBy, ...withReason(command), buckets } },
    ...Array.from({ length: slices }, (_, index): CampaignEvent => {
      const skip = index * entriesPerWithdrawal
      const affected = buckets.filter((bucket) => (distributed[bucket] ?? 0) > skip)
      return {
        type: 'EntriesWithdrawn',
        data: { notificationId, buckets: affected, skip, take: entriesPerWithdrawal },
      }
    }),
  ])
}

/** The recipients were read as failed, so they may be resent only if no other resend came between. */
const resend = (command: ResendCampaign, { sent, attempt: last, isRecalled }: CampaignState): Decided => {
  if (!sent) return rejected({ reason: 'not-sent' })
  if (isRecalled) return rejected({ reason: 'recalled' })
  const { notificationId, requestedBy, userIds, attempt, continues = false } = command
  if (attempt !== (continues ? last : last + 1)) return rejected({ reason: 'resent-meanwhile' })
  if (attempt > maxAttempts) return rejected({ reason: 'too-many-attempts' })
  if (userIds.length === 0) return rejected({ reason: 'nothing-to-resend' })
  return ok(
    packChunks(groupByBucket(userIds, bucketKey)).map((chunk): CampaignEvent => ({
      type: 'ResendRequested',
      data: {
        notificationId,
        requestedBy,
        ...withReason(command),
        attempt,
        recipients: chunk.map(({ bucket, items }) => ({ bucket, userIds: [...items] })),
      },
    })),
  )
}

const recordExport = ({ notificationId, requestedBy, rows }: RecordExport, { sent }: CampaignState): Decided =>
  sent
    ? ok([{ type: 'RecipientsExported', data: { notificationId, requestedBy, rows } }])
    : rejected({ reason: 'not-sent' })

const withDistributed = (
  state: CampaignState,
  recipients: CampaignEventOf<'RecipientsTargeted'>['data']['recipients'],
): CampaignState => {
  const distributed = { ...state.distributed }
  for (const { bucket, userIds } of recipients) distributed[bucket] = (distributed[bucket] ?? 0) + userIds.length
  return { ...state, distributed, chunks: state.chunks + 1 }
}

/**
 * The rules of one campaign. Outcomes are recorded on the same stream without a decision; see
 * delivery/record-outcomes.ts.
 */
export const campaignDecider: Decider<CampaignState, CampaignCommand, CampaignEvent, CampaignRejection> = {
  category: 'campaign',
  initial: { isTakenBack: false, distributed: {}, chunks: 0, attempt: 1, isRecalled: false },

  decide(command, state) {
    switch (command.type) {
      case 'SendCampaign':
        return send(command, state)
      case 'PlanCampaign':
        return plan(command, state)
      case 'HoldCampaign':
        return hold(command, state)
      case 'SendHeldCampaign':
        return sendHeld(command, state)
      case 'TakeBackCampaign':
        return takeBack(command, state)
      case 'ScheduleSend':
        return scheduleSend(command, state)
      case 'ChangeScheduledSend':
        return changeScheduledSend(command, state)
      case 'DiscardScheduledSend':
        return discardScheduledSend(command, state)
      case 'MissScheduledSend':
        return ok(missScheduledSend(command, state))
      case 'DistributeChunks':
        return ok(distribute(command, state))
      case 'CancelCampaign':
        return cancel(command, state)
      case 'RecallCampaign':
        return recall(command, state)
      case 'ResendCampaign':
        return resend(command, state)
      case 'RecordExport':
        return recordExport(command, state)
      // Only the first answer is recorded; retries return it.
      case 'RecordAnswer': {
        const { notificationId, successCount } = command
        if (state.successCount !== undefined) return ok([])
        return ok([{ type: 'SenderAnswered', data: { notificationId, successCount } }])
      }
    }
  },

  evolve(state, event) {
    switch (event.type) {
      case 'CampaignSent':
      case 'CampaignPlanned': {
        const { targeted, fingerprint, buckets } = event.data
        return { ...state, sent: { targeted, fingerprint, buckets } }
      }
      case 'CampaignHeld':
        return { ...state, held: event.data }
      case 'CampaignTakenBack':
        return { ...state, isTakenBack: true }
      case 'SendScheduled':
      case 'ScheduledSendChanged':
      case 'ScheduledSendDiscarded':
      case 'ScheduledSendMissed':
        return { ...state, scheduled: scheduledAfter(state.scheduled, event) }
      case 'RecipientsTargeted':
        return withDistributed(state, event.data.recipients)
      case 'RecipientsWithheld':
        return { ...state, chunks: state.chunks + 1 }
      case 'SenderAnswered':
        return { ...state, successCount: event.data.successCount }
      case 'CancelRequested':
        return { ...state, cancelledAttempt: state.attempt }
      case 'ResendRequested':
        return { ...state, attempt: event.data.attempt }
      case 'CampaignRecalled':
        return { ...state, isRecalled: true }
      case 'RecipientsPlanned':
      case 'RecipientsPostponed':
      case 'RecipientsSettled':
      case 'EntriesWithdrawn':
      case 'RecipientsExported':
        return state
    }
  },

  parse: storedEventReader(campaignEventSchema),
}
