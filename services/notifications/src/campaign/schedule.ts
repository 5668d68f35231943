import type { NotificationText } from '@portal/contracts/notifications/events'
import { type MissedReason, sendAtError } from '@portal/contracts/notifications/send-time'
import { tooSoon } from '@portal/contracts/notifications/errors'
import type { NotificationId, UserId } from '@portal/contracts/shared/ids'
import { scheduleLimits } from '@portal/contracts/notifications/schedule-limits'
import { ok, rejected, type Result } from '@portal/platform/decider/decider'
import type { CampaignEvent, CampaignEventOf } from './events.ts'

/** The rules of a send that waits for its time. It is the first part of a campaign: until it is sent, it has no recipients. */

export type RecordedAudience = NonNullable<CampaignEventOf<'SendScheduled'>['data']['audience']>

/** What is sent, to whom and when. */
export type ScheduledContent = {
  readonly text: NotificationText
  /** Either the users, or the rule that selects them when it is sent. */
  readonly userIds?: readonly UserId[] | undefined
  readonly audience?: RecordedAudience | undefined
  /** The recipients as a sentence, and how many they are now. */
  readonly says: string
  readonly targeted: number
  /** ISO 8601. */
  readonly sendAt: string
}

export type ScheduleSend = ScheduledContent & {
  readonly type: 'ScheduleSend'
  readonly sentBy: UserId
  readonly fingerprint: string
  readonly nowMs: number
}

export type ChangeScheduledSend = ScheduledContent & {
  readonly type: 'ChangeScheduledSend'
  readonly changedBy: UserId
  /** The version that the admin has changed. */
  readonly version: number
  readonly nowMs: number
}

export type DiscardScheduledSend = {
  readonly type: 'DiscardScheduledSend'
  readonly notificationId: NotificationId
  readonly discardedBy: UserId
}

/** Records that the version is not sent by itself any more. */
export type MissScheduledSend = {
  readonly type: 'MissScheduledSend'
  readonly notificationId: NotificationId
  readonly version: number
  readonly reason: MissedReason
}

/** What is sent: the version that was read. */
export type ScheduledVersion = {
  readonly version: number
  /** It is sent because it is due. Absent if an admin sends it now. */
  readonly isDue?: true
}

export type ScheduledState = {
  /** As it was scheduled. A repetition of the request gets the same answer. */
  readonly first: CampaignEventOf<'SendScheduled'>['data']
  readonly content: CampaignEventOf<'SendScheduled' | 'ScheduledSendChanged'>['data']
  /** 1, and one more for each change. */
  readonly version: number
  readonly missed?: MissedReason | undefined
  readonly isDiscarded: boolean
}

export type ScheduleRejection = {
  readonly reason: 'discarded' | 'changed-meanwhile' | 'missed' | 'too-soon' | 'too-far-ahead' | 'too-many-named'
}

type Scheduling = {
  readonly scheduled?: ScheduledState | undefined
  readonly held?: unknown
  readonly sent?: unknown
  readonly isTakenBack: boolean
}
type Decided = Result<
  readonly CampaignEvent[],
  ScheduleRejection | { readonly reason: 'key-used-for-another' | 'not-sent' | 'already-sent' | 'taken-back' }
>

/** 20,000 ids and the longest text stay below the store's limit of 1 MiB per append. */
const namedIn = ({ userIds = [], audience }: ScheduledContent): number =>
  userIds.length +
  (audience?.include?.length ?? 0) +
  (audience?.exclude?.length ?? 0) +
  (audience?.contactIds?.length ?? 0)

const rejectionOf = (content: ScheduledContent, nowMs: number): ScheduleRejection | undefined => {
  const timeError = sendAtError(Date.parse(content.sendAt), nowMs)
  if (timeError) return { reason: timeError === tooSoon ? 'too-soon' : 'too-far-ahead' }
  return namedIn(content) > scheduleLimits.namedUsers ? { reason: 'too-many-named' } : undefined
}

const recordedContent = ({ text, userIds, audience, says, targeted, sendAt }: ScheduledContent) => ({
  text,
  ...(userIds && { userIds: [...userIds] }),
  ...(audience && { audience }),
  says,
  targeted,
  sendAt,
})

/** Undefined for a new request. A repeated one changes nothing. */
export const earlierSchedule = (
  fingerprint: string,
  { scheduled, held, sent, isTakenBack }: Scheduling,
): Decided | undefined => {
  if (isTakenBack) return rejected({ reason: 'taken-back' })
  if (!scheduled) return held || sent ? rejected({ reason: 'key-used-for-another' }) : undefined
  if (scheduled.first.fingerprint !== fingerprint) return rejected({ reason: 'key-used-for-another' })
  return scheduled.isDiscarded ? rejected({ reason: 'discarded' }) : ok([])
}

export const scheduleSend = (command: ScheduleSend, state: Scheduling): Decided => {
  const { sentBy, fingerprint, nowMs } = command
  const earlier = earlierSchedule(fingerprint, state)
  if (earlier) return earlier
  const rejection = rejectionOf(command, nowMs)
  if (rejection) return rejected(rejection)
  return ok([{ type: 'SendScheduled', data: { ...recordedContent(command), sentBy, fingerprint } }])
}

/** What can still be changed or discarded. */
const openRejection = ({ scheduled, sent }: Scheduling) => {
  if (!scheduled) return { reason: 'not-sent' } as const
  return sent === undefined ? undefined : ({ reason: 'already-sent' } as const)
}

/** Of two admins who have changed the same version, the first wins. */
export const changeScheduledSend = (command: ChangeScheduledSend, state: Scheduling): Decided => {
  const { changedBy, version, nowMs } = command
  const closed = openRejection(state)
  if (closed) return rejected(closed)
  const { scheduled } = state
  if (!scheduled || scheduled.isDiscarded) return rejected({ reason: 'discarded' })
  if (scheduled.version !== version) return rejected({ reason: 'changed-meanwhile' })
  const rejection = rejectionOf(command, nowMs)
  if (rejection) return rejected(rejection)
  const { sentBy } = scheduled.first
  const data = { ...recordedContent(command), sentBy, changedBy, version: version + 1 }
  return ok([{ type: 'ScheduledSendChanged', data }])
}

export const discardScheduledSend = (
  { notificationId, discardedBy }: DiscardScheduledSend,
  state: Scheduling,
): Decided => {
  const closed = openRejection(state)
  if (closed) return rejected(closed)
  if (state.scheduled?.isDiscarded) return ok([])
  return ok([{ type: 'ScheduledSendDiscarded', data: { notificationId, discardedBy } }])
}

/** Changes nothing if an admin was faster. */
export const missScheduledSend = (
  { notificationId, version, reason }: MissScheduledSend,
  { scheduled, sent }: Scheduling,
): readonly CampaignEvent[] => {
  const isOpen = scheduled?.version === version && !scheduled.isDiscarded && !scheduled.missed && sent === undefined
  return isOpen ? [{ type: 'ScheduledSendMissed', data: { notificationId, reason } }] : []
}

/** Why a scheduled send cannot be sent so. Other requests cannot send it at all. */
export const sendScheduledRejection = (
  { version, missed, isDiscarded }: ScheduledState,
  asked: ScheduledVersion | undefined,
): ScheduleRejection | { readonly reason: 'key-used-for-another' } | undefined => {
  if (!asked) return { reason: 'key-used-for-another' }
  if (isDiscarded) return { reason: 'discarded' }
  if (version !== asked.version) return { reason: 'changed-meanwhile' }
  return asked.isDue && missed !== undefined ? { reason: 'missed' } : undefined
}

type ScheduleEvent = Extract<
  CampaignEvent,
  { type: 'SendScheduled' | 'ScheduledSendChanged' | 'ScheduledSendDiscarded' | 'ScheduledSendMissed' }
>

export const scheduledAfter = (state: ScheduledState | undefined, event: ScheduleEvent): ScheduledState | undefined => {
  if (event.type === 'SendScheduled') return { first: event.data, content: event.data, version: 1, isDiscarded: false }
  if (!state) return undefined
  switch (event.type) {
    case 'ScheduledSendChanged':
      return { ...state, content: event.data, version: event.data.version, missed: undefined }
    case 'ScheduledSendDiscarded':
      return { ...state, isDiscarded: true }
    case 'ScheduledSendMissed':
      return { ...state, missed: event.data.reason }
  }
}
