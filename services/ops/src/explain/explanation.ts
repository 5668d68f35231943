import { portalSender } from '@portal/contracts/notifications/portal-sender'
import {
  deliveryReasons,
  explainDelivery as explainStatus,
  explainPostponed,
} from '@portal/contracts/notifications/delivery-reasons'
import { shortenHashes } from '../events/mask.ts'
import { counted, duration, moment } from '../output/format.ts'
import type { RecordedAction, RecordedOutcome } from './campaign-record.ts'
import type { Device, DeliveryRecord } from './delivery-record.ts'

type Step = {
  readonly step:
    | 'asked'
    | 'taken-back'
    | 'recorded'
    | 'planned'
    | 'inbox'
    | 'devices'
    | 'ledger'
    | 'postponed'
    | 'outcome'
    | 'withheld'
    | RecordedAction['kind']
    | 'emailed'
    | 'read'
    | 'account'
  /** Absent if no time is recorded. */
  readonly at?: string
  /** Time since the previous step that has a time. */
  readonly afterMs?: number
  readonly says: string
}

type Ending =
  | 'no-such-notification'
  | 'held'
  | 'taken-back'
  | 'no-such-user'
  | 'not-a-recipient'
  | 'waiting-for-the-distributor'
  | 'parked'
  | 'on-its-way-to-the-inbox'
  | 'waiting-for-a-tab'
  | 'postponed'
  | 'waiting-for-the-delivery-worker'
  | NonNullable<DeliveryRecord['outcome']>['state']

type Explanation = {
  readonly userId: string
  readonly notificationId: string
  readonly ending: Ending
  readonly isRead: boolean
  /** A summary in one sentence. */
  readonly verdict: string
  /** What the console shows, if the log differs. */
  readonly finding?: string
  readonly steps: readonly Step[]
}

/** The creation time in a version 7 UUID: when the request arrived. */
const madeAt = (id: string): string | undefined =>
  id.charAt(14) === '7' ? new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString() : undefined

const elapsedMs = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

const isApplied = ({ targeted, projection }: DeliveryRecord): boolean =>
  targeted !== undefined && (projection.position ?? '') >= targeted.position

const endingOf = (record: DeliveryRecord): Ending => {
  const { sent, registeredAt, planned, withheld, targeted, outcome, projection, arrival, now, graceMs } = record
  if (record.takenBack) return 'taken-back'
  if (!sent) return record.held ? 'held' : 'no-such-notification'
  if (registeredAt === undefined) return 'no-such-user'
  if (withheld) return 'cancelled'
  if (!targeted) return planned ? 'waiting-for-the-distributor' : 'not-a-recipient'
  // Takes precedence over the push outcome, because the inbox lacks the notification.
  if (projection.parkedBecause !== undefined) return 'parked'
  if (outcome) return outcome.state
  if (!arrival && !isApplied(record)) return 'on-its-way-to-the-inbox'
  if (record.postponed) return 'postponed'
  return elapsedMs(targeted.at, now) <= graceMs ? 'waiting-for-a-tab' : 'waiting-for-the-delivery-worker'
}

const because = (reason: string | undefined): string => (reason === undefined ? '' : ` (${reason})`)

/** The sentences of the console, with the recorded reason. */
const outcomeWords = ({ state, reason, position }: RecordedOutcome, read: DeliveryRecord['read']): string => {
  if (state === 'live' && reason === undefined && read && read.position < position) return 'They had already read it.'
  const says = explainStatus(state, reason)
  return reason === undefined || says.includes(`(${reason})`) ? says : `${says.slice(0, -1)} (${reason}).`
}

/** As the console has it, for a recipient without an outcome. */
const waitingReason = ({ postponed }: DeliveryRecord): string | undefined => postponed && deliveryReasons.postponed

const endedWords = ({ outcome, withheld, read }: DeliveryRecord): string => {
  if (withheld) return `${explainStatus('cancelled', withheld.reason)} It is not in their inbox.`
  return outcome ? outcomeWords(outcome, read) : ''
}

const notARecipient = ({ registeredAt, sent, erasedAt }: DeliveryRecord): string => {
  if (sent && registeredAt !== undefined && registeredAt > sent.at)
    return 'Not a recipient: they registered after it was sent.'
  if (sent && erasedAt !== undefined && erasedAt < sent.at)
    return 'Not a recipient: their account was deleted before it was sent.'
  return 'The sender did not choose them as a recipient.'
}

const delivery = (record: DeliveryRecord, ending: Ending): string => {
  const { targeted, now, projection } = record
  const ago = targeted ? duration(elapsedMs(targeted.at, now)) : ''
  switch (ending) {
    case 'no-such-notification':
      return 'No such notification has been sent. Without NOTIFICATION, make why lists those of the user.'
    case 'held':
      if (record.held?.missed !== undefined)
        return `It was not sent when it was due (${record.held.missed}), and waits for an admin.`
      return `It has not been sent: its sender has confirmed it, and it is due at ${moment(record.held?.dueAt ?? now)}.`
    case 'taken-back':
      return 'It was not sent: it was taken back before it was due.'
    case 'no-such-user':
      return 'There has never been a user with this id.'
    case 'not-a-recipient':
      return notARecipient(record)
    case 'waiting-for-the-distributor':
      return 'The campaign is large and is still being put into inboxes; theirs does not have it yet.'
    case 'parked':
      return `It is not in their inbox: the message is a dead letter${because(projection.parkedBecause)}; see make dead-letters.`
    case 'on-its-way-to-the-inbox':
      return `It was sent ${ago} ago, and the inbox projection has not processed it yet; see make status.`
    case 'waiting-for-a-tab':
      return `It is in their inbox; open tabs have ${duration(record.graceMs)} after the send to show it.`
    case 'postponed':
      return explainPostponed(record.postponed?.until ?? now)
    case 'waiting-for-the-delivery-worker':
      return `It has been in their inbox for ${ago} and has no outcome yet: the delivery worker has not processed it, or waits for the push provider; see make status.`
    default:
      return endedWords(record)
  }
}

const howWords: Readonly<Record<NonNullable<DeliveryRecord['read']>['how'], string>> = {
  'by itself': '',
  'with all others': ' (mark all as read)',
}

const readWords = ({ read, sent, arrival }: DeliveryRecord): string => {
  if (!read || !sent) return ' Not read.'
  const since = arrival?.isMarkedUnread ? ', and marked as unread since' : ''
  return ` Read ${duration(elapsedMs(sent.at, read.at))} after sending${howWords[read.how]}${since}.`
}

const emailedWords = ({ emailedAt }: DeliveryRecord): string =>
  emailedAt === undefined ? '' : ` An email told them of it on ${moment(emailedAt)}.`

const isRecalled = ({ actions }: DeliveryRecord): boolean => actions.some(({ kind }) => kind === 'recall')

const isStillInInbox = ({ arrival }: DeliveryRecord): boolean =>
  arrival !== undefined && arrival.withdrawnAt === undefined

/** The console's sentences tell where it was before it was withdrawn. */
const beforeRecall = (words: string): string => words.replace(/^It is in the inbox\. /, '')

const verdictOf = (record: DeliveryRecord, ending: Ending): string => {
  const words = delivery(record, ending)
  const reading = isDeliveryEnding(record) ? `${emailedWords(record)}${readWords(record)}` : ''
  if (!isRecalled(record)) return `${words}${reading}`
  if (isStillInInbox(record)) return `${words}${reading} An admin withdrew it; their inbox still has it.`
  const { outcome, arrival } = record
  if (arrival === undefined || outcome === undefined || outcome.reason === deliveryReasons.withdrawn)
    return `${words}${reading} An admin withdrew it.`
  return `An admin withdrew it, and it is no longer in their inbox. Before that: ${beforeRecall(words)}${reading}`
}

/** The console lags behind the log for moments only, unless its projection has stopped or lost data. */
const findingOf = (record: DeliveryRecord, ending: Ending): string | undefined => {
  const { shown, targeted, withheld, outcome, read } = record
  // Their words already say that the inbox lacks it.
  if (ending === 'parked' || ending === 'on-its-way-to-the-inbox') return undefined
  if (!targeted && !withheld) return undefined
  const todo = 'If that stays, see make status; if it finds nothing, make replay P=inbox.'
  if ('unreadable' in shown) return `The console cannot show it${because(shown.unreadable)}. ${todo}`
  const { state, reason } = withheld
    ? { state: 'cancelled', reason: withheld.reason }
    : (outcome ?? { state: 'pending', reason: waitingReason(record) })
  const isSame = shown.status === state && shown.reason === reason && shown.isRead === (read !== undefined)
  if (isSame) return undefined
  return `The console shows it as ${shown.status}${because(shown.reason)}, ${shown.isRead ? 'read' : 'not read'}. ${todo}`
}

const isDeliveryEnding = ({ targeted }: DeliveryRecord): boolean => targeted !== undefined

const deviceWords = (devices: readonly Device[], { sent, outcome, now }: DeliveryRecord): string => {
  const from = sent?.at ?? now
  const until = outcome?.at ?? now
  const registered = devices.filter(
    ({ registeredAt, removed }) => registeredAt <= until && (removed === undefined || removed.at >= from),
  )
  if (registered.length === 0) return 'No push device registered'
  const lost = registered.flatMap(({ removed }) => (removed && removed.at <= until ? [removed.reason] : []))
  return `${counted(registered.length, 'device')} registered for push${lost.length > 0 ? `, ${lost.length} removed meanwhile (${lost.join(', ')})` : ''}`
}

const inboxWords = (record: DeliveryRecord): string => {
  const { arrival, projection, targeted } = record
  const progress = `the inbox projection is at ${projection.position ?? 'the beginning'} in bucket ${targeted?.bucket}`
  if (arrival) {
    const where = arrival.withdrawnAt === undefined ? 'In their inbox as' : 'Withdrawn from their inbox, where it was'
    return `${where} arrival ${arrival.number}, seq ${arrival.seq}; ${progress}`
  }
  if (projection.parkedBecause !== undefined)
    return `Dead letter of the inbox projection${because(projection.parkedBecause)}`
  return `Not in their inbox yet: ${progress}, the message at ${targeted?.position}`
}

const outcomeStep = (outcome: RecordedOutcome, read: DeliveryRecord['read']): Step => {
  const { at, state, attempt } = outcome
  const inAttempt = attempt === 1 ? '' : ` in attempt ${attempt}`
  return { step: 'outcome', at, says: `Recorded as '${state}'${inAttempt}: ${outcomeWords(outcome, read)}` }
}

const actionStep = ({ kind, by, at, attempt }: RecordedAction): Step => {
  const words = {
    cancel: 'stopped the pending deliveries',
    resend: `sent it again, as attempt ${attempt}`,
    recall: 'withdrew it from all inboxes',
  }
  return { step: kind, at, says: `Admin ${by} ${words[kind]}` }
}

const heldSteps = ({ held, takenBack }: DeliveryRecord): readonly Step[] => [
  ...(held
    ? [{ step: 'asked', at: held.at, says: `Asked for by admin ${held.sentBy}, due at ${moment(held.dueAt)}` } as const]
    : []),
  ...(takenBack ? [{ step: 'taken-back', at: takenBack.at, says: `Taken back by ${takenBack.by}` } as const] : []),
]

/** Returns the steps without `afterMs`, which needs the final order. */
const stepsOf = (record: DeliveryRecord): readonly Step[] => {
  const { notificationId, sent, planned, targeted, postponed, withheld, outcome, earlierOutcomes, actions } = record
  const { read, emailedAt, erasedAt, isOpenInLedger, devices } = record
  if (!sent) return heldSteps(record)
  const askedAt = madeAt(notificationId) ?? record.held?.at
  const correlation = sent.correlationId === undefined ? '' : `, request ${sent.correlationId}`
  const sender = `${sent.sentBy === portalSender ? 'the portal itself' : `admin ${sent.sentBy}`}${correlation}`
  const recorded = `Recorded at ${sent.position} for ${counted(sent.targeted, 'recipient')}`
  return [
    ...(askedAt === undefined ? [] : [{ step: 'asked', at: askedAt, says: `Asked for by ${sender}` } as const]),
    ...(planned ? [{ step: 'planned', at: planned.at, says: 'Planned as a recipient' } as const] : []),
    { step: 'recorded', at: sent.at, says: askedAt === undefined ? `${recorded}, asked for by ${sender}` : recorded },
    ...(targeted ? [{ step: 'inbox', says: inboxWords(record) } as const] : []),
    ...(targeted ? [{ step: 'devices', says: deviceWords(devices, record) } as const] : []),
    ...(targeted && !outcome
      ? [
          {
            step: 'ledger',
            says: `The pending deliveries ${isOpenInLedger ? 'list it' : 'do not list it'}`,
          } as const,
        ]
      : []),
    ...(postponed
      ? [
          {
            step: 'postponed',
            at: postponed.at,
            says: `The push waits until ${moment(postponed.until)}: quiet hours or many pushes`,
          } as const,
        ]
      : []),
    ...[...earlierOutcomes, ...(outcome ? [outcome] : [])].map((ended) => outcomeStep(ended, read)),
    ...(withheld
      ? [{ step: 'withheld', at: withheld.at, says: `Withheld from their inbox: ${withheld.reason}` } as const]
      : []),
    ...actions.map(actionStep),
    ...(emailedAt === undefined
      ? []
      : [{ step: 'emailed', at: emailedAt, says: 'Told by an email of what was unread' } as const]),
    ...(read ? [{ step: 'read', at: read.at, says: `Read${howWords[read.how]}` } as const] : []),
    ...(erasedAt === undefined ? [] : [{ step: 'account', at: erasedAt, says: 'Their account was deleted' } as const]),
  ]
}

/** Sorts by time. A step without a time stays after its predecessor. */
const inOrder = (steps: readonly Step[]): readonly Step[] => {
  let lastAt = ''
  const timed = steps.map((step) => {
    lastAt = step.at ?? lastAt
    return { step, at: lastAt }
  })
  let previousAt: string | undefined
  return timed
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ step }) => {
      const afterMs = step.at !== undefined && previousAt !== undefined ? elapsedMs(previousAt, step.at) : undefined
      previousAt = step.at ?? previousAt
      return afterMs === undefined ? step : { ...step, afterMs }
    })
}

/** Explains what happened to one notification for one recipient, and why. */
export const explainDelivery = (record: DeliveryRecord): Explanation => {
  const ending = endingOf(record)
  const finding = findingOf(record, ending)
  return {
    userId: record.userId,
    notificationId: record.notificationId,
    ending,
    isRead: record.read !== undefined,
    verdict: verdictOf(record, ending),
    ...(finding !== undefined && { finding }),
    steps: inOrder(stepsOf(record)),
  }
}

export const explanationText = ({ userId, notificationId, verdict, finding, steps }: Explanation): string => {
  const lines = steps.map(({ at, afterMs, says }) => {
    const time = at === undefined ? ''.padEnd(23) : moment(at)
    const after = afterMs === undefined ? '' : `+${duration(afterMs)}`
    return `  ${time}  ${after.padStart(8)}  ${shortenHashes(says)}`
  })
  const ids = ['', `  notification ${notificationId}`, `  user         ${userId}`, '']
  return [verdict, ...(finding === undefined ? [] : [finding]), ...ids, ...lines].join('\n')
}
