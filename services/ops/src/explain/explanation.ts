import { shortenHashes } from '../events/mask.ts'
import { counted, duration, moment } from '../output/format.ts'
import type { Device, DeliveryRecord } from './delivery-record.ts'

type Step = {
  readonly step: 'asked' | 'recorded' | 'inbox' | 'devices' | 'ledger' | 'outcome' | 'read' | 'account'
  /** Absent where no time is kept. */
  readonly at?: string
  /** Since the step before that has a time. */
  readonly afterMs?: number
  readonly says: string
}

type Ending =
  | 'no-such-notification'
  | 'no-such-user'
  | 'not-a-recipient'
  | 'parked'
  | 'on-its-way-to-the-inbox'
  | 'waiting-for-a-tab'
  | 'waiting-for-the-delivery-worker'
  | NonNullable<DeliveryRecord['outcome']>['state']

type Explanation = {
  readonly userId: string
  readonly notificationId: string
  readonly ending: Ending
  readonly isRead: boolean
  /** The answer in one sentence. */
  readonly verdict: string
  readonly steps: readonly Step[]
}

/** Ids of version 7 begin with the time at which they were made: here, when the request was taken up. */
const madeAt = (id: string): string | undefined =>
  id.charAt(14) === '7' ? new Date(Number.parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString() : undefined

const elapsedMs = (from: string, to: string): number => Date.parse(to) - Date.parse(from)

const isApplied = ({ targeted, projection }: DeliveryRecord): boolean =>
  targeted !== undefined && (projection.position ?? '') >= targeted.position

const endingOf = (facts: DeliveryRecord): Ending => {
  const { sent, registeredAt, targeted, outcome, projection, arrival, now, graceMs } = facts
  if (!sent) return 'no-such-notification'
  if (registeredAt === undefined) return 'no-such-user'
  if (!targeted) return 'not-a-recipient'
  // Whatever became of the push: in the inbox, where it would be looked for, it is not.
  if (projection.parkedBecause !== undefined) return 'parked'
  if (outcome) return outcome.state
  if (!arrival && !isApplied(facts)) return 'on-its-way-to-the-inbox'
  return elapsedMs(targeted.at, now) <= graceMs ? 'waiting-for-a-tab' : 'waiting-for-the-delivery-worker'
}

const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const because = (reason: string | undefined): string => (reason === undefined ? '' : ` (${reason})`)

const settledWords = ({ outcome, read }: DeliveryRecord): string => {
  if (!outcome) return ''
  switch (outcome.state) {
    case 'live':
      // Only of sample data is there a reason: it was recorded as shown, and no tab was asked.
      if (outcome.reason !== undefined) return `it counts as shown${because(outcome.reason)}`
      return read && read.position < outcome.position ? 'they had read it by then' : 'an open, visible tab has shown it'
    case 'pushed':
      return 'no tab had shown it, and the push provider accepted it for a device'
    case 'skipped':
      return `no tab had shown it, and it could not be pushed${because(outcome.reason)}`
    case 'failed':
      return `no tab had shown it, and the push failed${because(outcome.reason)}`
    case 'cancelled':
      return `it was not delivered any more${because(outcome.reason)}`
  }
}

const notARecipient = ({ registeredAt, sent, erasedAt }: DeliveryRecord): string => {
  if (sent && registeredAt !== undefined && registeredAt > sent.at)
    return 'They are not among the recipients: they registered after it was sent'
  if (sent && erasedAt !== undefined && erasedAt < sent.at)
    return 'They are not among the recipients: their account had been deleted before'
  return 'They are not among the recipients that the sender chose'
}

const delivery = (facts: DeliveryRecord, ending: Ending): string => {
  const { targeted, now, projection } = facts
  const ago = targeted ? duration(elapsedMs(targeted.at, now)) : ''
  switch (ending) {
    case 'no-such-notification':
      return 'No such notification has been sent'
    case 'no-such-user':
      return 'There has never been a user with this id'
    case 'not-a-recipient':
      return notARecipient(facts)
    case 'parked':
      return `It is not in their inbox: the message is parked${because(projection.parkedBecause)}; see make dead-letters`
    case 'on-its-way-to-the-inbox':
      return `It was sent ${ago} ago, and the inbox projection has not come to it yet; see make status`
    case 'waiting-for-a-tab':
      return `It is in their inbox; open tabs have until ${duration(facts.graceMs)} after the sending to show it`
    case 'waiting-for-the-delivery-worker':
      return `It has been in their inbox for ${ago} and has no outcome yet: the delivery worker has not come to it, or waits for the push provider; see make status`
    default:
      return capitalized(settledWords(facts))
  }
}

const readWords = ({ read, sent }: DeliveryRecord): string =>
  read && sent ? `; read ${duration(elapsedMs(sent.at, read.at))} after it was sent, ${read.how}` : '; not read'

const isDeliveryEnding = ({ targeted }: DeliveryRecord): boolean => targeted !== undefined

const deviceWords = (devices: readonly Device[], { sent, outcome, now }: DeliveryRecord): string => {
  const from = sent?.at ?? now
  const until = outcome?.at ?? now
  const there = devices.filter(
    ({ registeredAt, removed }) => registeredAt <= until && (removed === undefined || removed.at >= from),
  )
  if (there.length === 0) return 'No device of theirs was registered for push'
  const lost = there.flatMap(({ removed }) => (removed && removed.at <= until ? [removed.reason] : []))
  return `${there.length} of their devices registered for push${lost.length > 0 ? `, of which ${lost.length} went meanwhile (${lost.join(', ')})` : ''}`
}

const inboxWords = (facts: DeliveryRecord): string => {
  const { arrival, projection, targeted } = facts
  const stands = `the inbox projection is at ${projection.position ?? 'the beginning'} in bucket ${targeted?.bucket}`
  if (arrival) return `In their inbox as arrival ${arrival.number}, seq ${arrival.seq}; ${stands}`
  if (projection.parkedBecause !== undefined)
    return `Parked by the inbox projection${because(projection.parkedBecause)}`
  return `Not in their inbox yet: ${stands}, the message at ${targeted?.position}`
}

/** Without the time since the step before, which comes when they are in order. */
const stepsOf = (facts: DeliveryRecord): readonly Step[] => {
  const { notificationId, sent, targeted, outcome, read, erasedAt, isOpenInLedger, devices } = facts
  if (!sent) return []
  const askedAt = madeAt(notificationId)
  const correlation = sent.correlationId === undefined ? '' : `, request ${sent.correlationId}`
  const sender = `admin ${sent.sentBy}${correlation}`
  const recorded = `Recorded at ${sent.position} for ${counted(sent.targeted, 'recipient')}`
  return [
    ...(askedAt === undefined ? [] : [{ step: 'asked', at: askedAt, says: `Asked for by ${sender}` } as const]),
    { step: 'recorded', at: sent.at, says: askedAt === undefined ? `${recorded}, asked for by ${sender}` : recorded },
    ...(targeted ? [{ step: 'inbox', says: inboxWords(facts) } as const] : []),
    ...(targeted ? [{ step: 'devices', says: deviceWords(devices, facts) } as const] : []),
    ...(targeted && !outcome
      ? [
          {
            step: 'ledger',
            says: `The delivery ledger ${isOpenInLedger ? 'lists it as open' : 'does not list it'}`,
          } as const,
        ]
      : []),
    ...(outcome
      ? [{ step: 'outcome', at: outcome.at, says: `Recorded as '${outcome.state}': ${settledWords(facts)}` } as const]
      : []),
    ...(read ? [{ step: 'read', at: read.at, says: `Read ${read.how}` } as const] : []),
    ...(erasedAt === undefined ? [] : [{ step: 'account', at: erasedAt, says: 'Their account was deleted' } as const]),
  ]
}

/** In the order of time; what has no time of its own stays behind what it follows. */
const inOrder = (steps: readonly Step[]): readonly Step[] => {
  let lastAt = ''
  const timed = steps.map((step) => {
    lastAt = step.at ?? lastAt
    return { step, at: lastAt }
  })
  let before: string | undefined
  return timed
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ step }) => {
      const afterMs = step.at !== undefined && before !== undefined ? elapsedMs(before, step.at) : undefined
      before = step.at ?? before
      return afterMs === undefined ? step : { ...step, afterMs }
    })
}

/** What happened to one notification for one person, and why it went no further. */
export const explainDelivery = (facts: DeliveryRecord): Explanation => {
  const ending = endingOf(facts)
  const reading = isDeliveryEnding(facts) ? readWords(facts) : ''
  return {
    userId: facts.userId,
    notificationId: facts.notificationId,
    ending,
    isRead: facts.read !== undefined,
    verdict: `${delivery(facts, ending)}${reading}.`,
    steps: inOrder(stepsOf(facts)),
  }
}

export const explanationText = ({ userId, notificationId, verdict, steps }: Explanation): string => {
  const lines = steps.map(({ at, afterMs, says }) => {
    const time = at === undefined ? ''.padEnd(23) : moment(at)
    const after = afterMs === undefined ? '' : `+${duration(afterMs)}`
    return `  ${time}  ${after.padStart(8)}  ${shortenHashes(says)}`
  })
  return [verdict, '', `  notification ${notificationId}`, `  user         ${userId}`, '', ...lines].join('\n')
}
