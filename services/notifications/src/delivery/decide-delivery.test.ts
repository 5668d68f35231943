import type { DeliveryOutcome } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Json } from '@portal/platform/event-store/port'
import { notificationIdAt, userIdAt } from '@portal/notifications/testing/samples'
import { describe, expect, test } from 'vitest'
import { headRef, recipientsRef, resentRef } from '../read-model.ts'
import { createDecideDelivery } from './decide-delivery.ts'
import { createUnconfirmedOutcomes } from './record-outcomes.ts'
import type { Moment } from './send-times.ts'

/** Two users of one bucket. */
const [ada, ben] = [userIdAt(1), userIdAt(2)]
const bucket = bucketKey(ada)
const notificationId = notificationIdAt(1)
const epoch = 'epoch-1'
/** Sequence number of the notification in the inbox. */
const seq = 7
const minuteMs = 60_000
const maxAgeMs = 60 * minuteMs

/** What is known about Ada, the only recipient. By default: pending, with a device, arrived, not seen, a minute old. */
type Facts = {
  readonly hasDevice?: boolean
  readonly hasArrived?: boolean
  readonly waitedForArrivalMs?: number
  /** The highest `seq` that an open tab has reported. */
  readonly reportedSeq?: number
  /** The mark-all of the inbox. */
  readonly readUpTo?: number
  /** The recipient has read something since the send. */
  readonly isActive?: boolean
  /** Ben is a recipient, too, and has read something since the send. */
  readonly hasReaderBesides?: boolean
  readonly isErased?: boolean
  readonly isDeactivated?: boolean
  readonly ageMs?: number
  /** The process found the campaign at its start. */
  readonly isFoundAtStart?: boolean
  readonly unconfirmed?: DeliveryOutcome
  /** Recipients with an outcome in the log, and its attempt. */
  readonly settledInLog?: readonly (readonly [UserId, number])[]
  /** 1 by default. */
  readonly attempt?: number
  /** The attempt that the inbox has; the same by default. */
  readonly attemptInInbox?: number
  /** Why an admin stopped the delivery. */
  readonly stopped?: string
  /** Ben is a recipient, too, whose push waits. */
  readonly hasWaiting?: boolean
  /** The end of the wait, before which there was no push. */
  readonly waitedUntil?: string
  readonly moment?: Moment
  readonly isSettledInInbox?: boolean
}

const decideFrom = async (facts: Facts) => {
  const { hasDevice = true, hasArrived = true, reportedSeq = 0, readUpTo = 0, ageMs = minuteMs } = facts
  const { attempt = 1, attemptInInbox = attempt, stopped, waitedUntil, moment = { wallMs: 0, steadyMs: 0 } } = facts
  const documents = new Map<string, Json>()
  const keyOf = ({ collection, key }: { readonly collection: string; readonly key: string }) => `${collection} ${key}`
  const pending: UserId[] = facts.isSettledInInbox ? [] : [ada, ben]
  if (attemptInInbox === 1) documents.set(keyOf(recipientsRef(bucket, notificationId)), { pending, settled: [] })
  else {
    const settled = [{ state: 'failed', userIds: [ada, ben] }]
    documents.set(keyOf(recipientsRef(bucket, notificationId)), { pending: [], settled })
    const attempts = [{ attempt: attemptInInbox, userIds: [ada, ben] }]
    documents.set(keyOf(resentRef(bucket, notificationId)), { pending, settled: [], attempts })
  }
  for (const user of [ada, ben]) documents.set(keyOf(headRef(user)), { seq, total: 1, unread: 1, readUpTo })
  const reportsLoaded: UserId[] = []
  let inboxesRead = 0
  const unconfirmed = createUnconfirmedOutcomes()
  if (facts.unconfirmed) unconfirmed.set(notificationId, facts.unconfirmed)
  const decide = createDecideDelivery({
    readModel: {
      epoch,
      get: async (ref) => documents.get(keyOf(ref)),
      getMany: async (refs) => refs.map((ref) => documents.get(keyOf(ref))),
      entries: async (_partition, lists) => {
        inboxesRead += lists.length
        return lists.map(({ member }) =>
          hasArrived ? { member, score: 1, value: { seq, deliveredAt: '2026-01-01T00:00:00.000Z' } } : undefined,
        )
      },
    },
    pendingDeliveries: {
      get: async ({ collection }) =>
        (collection === 'erased-accounts' ? facts.isErased : facts.isDeactivated) ? [ada] : [],
    },
    devices: { holders: async (userIds) => new Set(hasDevice ? userIds : []) },
    times: { hasArrived: () => facts.isFoundAtStart !== true, ageMs: () => ageMs },
    deferrals: { waitedMs: (_delivery, reason) => (reason === 'not-arrived' ? (facts.waitedForArrivalMs ?? 0) : 0) },
    unconfirmed,
    seenUpTo: () => reportedSeq,
    loadSeen: async (userIds) => void reportsLoaded.push(...userIds),
    maxAgeMs,
  })
  const active = [...(facts.isActive ? [ada] : []), ...(facts.hasReaderBesides ? [ben] : [])]
  const delivery = {
    notificationId,
    attempt,
    bucket,
    stopped,
    sentAt: '2026-01-01T00:00:00.000Z',
    active,
    postponed: facts.hasWaiting ? [ben] : [],
    waitedUntil,
    pending: facts.isActive ? [] : [ada],
  }
  const settledInLog = async () => new Map(facts.settledInLog)
  const { settled, toPush, reasons } = await decide(delivery, settledInLog, moment)
  return {
    settled: settled.map(({ state, reason }) => (reason === undefined ? state : `${state}: ${reason}`)),
    pushed: [...toPush.values()].map((numbered) => numbered?.seq ?? 'without a number'),
    reasons: [...reasons.keys()],
    attempts: [...new Set(settled.map((outcome) => outcome.attempt))],
    isUnconfirmed: unconfirmed.get(delivery, ada) !== undefined,
    reportsLoaded,
    inboxesRead,
  }
}

const pushedBefore: DeliveryOutcome = { userId: ada, state: 'pushed' }
const [cancelled, expired, noDevice] = ['cancelled: account deleted', 'skipped: expired', 'skipped: no device']
const deactivated = 'cancelled: account deactivated'
const old = maxAgeMs + 1
const stoppedByAdmin = 'cancelled by an admin'
const stopped = `cancelled: ${stoppedByAdmin}`

/** The order of docs/delivery.md, where the first match wins: each row also has facts of later rows. */
const settledRows: readonly (readonly [who: string, facts: Facts, settled: readonly string[]])[] = [
  ['a push whose outcome is unconfirmed', { unconfirmed: pushedBefore, reportedSeq: seq, isErased: true }, ['pushed']],
  ['the same without a device', { unconfirmed: pushedBefore, hasDevice: false }, ['pushed']],
  ['a recipient who saw it on an open tab', { reportedSeq: seq, isErased: true, ageMs: old }, ['live']],
  ['the same without a device', { reportedSeq: seq, hasDevice: false }, ['live']],
  ['a recipient who read all of the inbox', { readUpTo: seq, ageMs: old }, ['live']],
  ['a recipient without a device who read it', { readUpTo: seq, isActive: true, hasDevice: false }, ['live']],
  ['an erased account', { isErased: true, ageMs: old, hasDevice: false }, [cancelled]],
  ['an erased account with a device', { isErased: true, ageMs: old }, [cancelled]],
  ['an erased account that was stopped, too', { isErased: true, stopped: stoppedByAdmin }, [cancelled]],
  ['an erased account that was deactivated before', { isErased: true, isDeactivated: true }, [cancelled]],
  ['a deactivated account', { isDeactivated: true, stopped: stoppedByAdmin, ageMs: old }, [deactivated]],
  ['the same without a device', { isDeactivated: true, ageMs: old, hasDevice: false }, [deactivated]],
  ['a deactivated account that saw it before', { isDeactivated: true, readUpTo: seq }, ['live']],
  ['a stopped delivery', { stopped: stoppedByAdmin, ageMs: old }, [stopped]],
  ['the same without a device', { stopped: stoppedByAdmin, ageMs: old, hasDevice: false }, [stopped]],
  ['a stopped delivery that was seen', { stopped: stoppedByAdmin, reportedSeq: seq }, ['live']],
  ['a stopped delivery that was read', { stopped: stoppedByAdmin, readUpTo: seq }, ['live']],
  ['a stopped delivery with an unconfirmed push', { stopped: stoppedByAdmin, unconfirmed: pushedBefore }, ['pushed']],
  ['a stopped delivery that has not arrived', { stopped: stoppedByAdmin, hasArrived: false }, [stopped]],
  ['a campaign older than the maximum age', { ageMs: old }, [expired]],
  ['the same without a device', { ageMs: old, hasDevice: false }, [expired]],
  ['a recipient without a device', { ageMs: maxAgeMs, hasDevice: false }, [noDevice]],
]
test('settles recipients without a push if they have seen it, cannot get it or should not', async () => {
  const decisions = await Promise.all(settledRows.map(async ([who, facts]) => [who, await decideFrom(facts)] as const))
  expect(decisions.map(([who, { settled, pushed, reasons }]) => [who, settled, pushed, reasons])).toEqual(
    settledRows.map(([who, , settled]) => [who, settled, [], []]),
  )
})

test('pushes to a recipient with a device who has not seen it, also at exactly the maximum age', async () => {
  for (const facts of [{}, { reportedSeq: seq - 1, readUpTo: seq - 1 }, { ageMs: maxAgeMs }])
    expect({ facts, ...(await decideFrom(facts)) }).toMatchObject({ facts, settled: [], pushed: [seq], reasons: [] })
})

test('ends a push that waits when an admin stops it, and not before', async () => {
  expect(await decideFrom({ hasWaiting: true })).toMatchObject({ settled: [], pushed: [seq], reasons: [] })
  expect(await decideFrom({ hasWaiting: true, stopped: stoppedByAdmin })).toMatchObject({
    settled: [stopped, stopped],
    pushed: [],
    reasons: [],
  })
})

test('counts the age of a push that waited from the end of the wait, by the clock that is behind', async () => {
  const waitedUntil = '2026-01-01T06:00:00.000Z'
  const after = (wall: number, steady: number) =>
    decideFrom({
      waitedUntil,
      ageMs: old,
      moment: { wallMs: Date.parse(waitedUntil) + wall, steadyMs: Date.parse(waitedUntil) + steady },
    })
  expect(await after(maxAgeMs, maxAgeMs)).toMatchObject({ settled: [], pushed: [seq] })
  expect(await after(old, maxAgeMs)).toMatchObject({ settled: [], pushed: [seq] })
  expect(await after(maxAgeMs, old)).toMatchObject({ settled: [], pushed: [seq] })
  expect(await after(old, old)).toMatchObject({ settled: [expired], pushed: [] })
})

test('loads the reports of all gateways before it decides about a recipient', async () => {
  expect(await decideFrom({ hasReaderBesides: true })).toMatchObject({ pushed: [seq, seq], reportsLoaded: [ada, ben] })
})

test('leaves a recipient alone whose outcome is in the log of an old campaign, or of one found at the start', async () => {
  const aged = { ageMs: 5 * minuteMs + 1 }
  for (const facts of [aged, { isFoundAtStart: true }, { ...aged, isActive: true }]) {
    const decision = await decideFrom({ ...facts, settledInLog: [[ada, 1]] })
    const nothing = { settled: [], pushed: [], reasons: ['not-projected'], reportsLoaded: [] }
    expect({ facts, ...decision }).toMatchObject({ facts, ...nothing })
  }
})

test('decides about the other recipients of a campaign with an outcome in the log', async () => {
  const decision = await decideFrom({ ageMs: 5 * minuteMs + 1, hasReaderBesides: true, settledInLog: [[ben, 1]] })
  expect(decision).toMatchObject({ settled: [], pushed: [seq], reasons: ['not-projected'], reportsLoaded: [ada] })
})

test('does not read the inbox of a recipient without a device, unless it is a resend', async () => {
  expect(await decideFrom({ hasDevice: false })).toMatchObject({ settled: [noDevice], inboxesRead: 0 })
  // The push then finds no token, and ends as 'no device', too.
  expect(await decideFrom({ hasDevice: false, attempt: 2 })).toMatchObject({ pushed: [seq], inboxesRead: 1 })
})

test('does not read the log for a recent campaign', async () => {
  expect(await decideFrom({ ageMs: 5 * minuteMs, settledInLog: [[ada, 1]] })).toMatchObject({ pushed: [seq] })
})

test('leaves a recipient alone whose outcome the inbox projection has, and drops the unconfirmed one', async () => {
  const decision = await decideFrom({ isSettledInInbox: true, unconfirmed: pushedBefore })
  expect(decision).toMatchObject({ settled: [], pushed: [], reasons: ['not-projected'], isUnconfirmed: false })
})

test('waits up to five minutes for the notification to arrive in the inbox, then pushes without a number', async () => {
  const missing = { hasArrived: false, waitedForArrivalMs: 5 * minuteMs - 1 }
  expect(await decideFrom(missing)).toMatchObject({ settled: [], pushed: [], reasons: ['not-arrived'] })
  const decision = await decideFrom({ ...missing, waitedForArrivalMs: 5 * minuteMs })
  expect(decision).toMatchObject({ settled: [], pushed: ['without a number'], reasons: [] })
})

describe('a resend', () => {
  const resent = { attempt: 2 }

  test('is pushed, although the log has an outcome of the first attempt', async () => {
    const decision = await decideFrom({ ...resent, ageMs: 5 * minuteMs + 1, settledInLog: [[ada, 1]] })
    expect(decision).toMatchObject({ settled: [], pushed: [seq], reasons: [] })
  })

  test('is left alone if the log has an outcome of the same or a later attempt', async () => {
    for (const attempt of [2, 3]) {
      const decision = await decideFrom({ ...resent, ageMs: 5 * minuteMs + 1, settledInLog: [[ada, attempt]] })
      expect(decision).toMatchObject({ settled: [], pushed: [], reasons: ['not-projected'] })
    }
  })

  test('ignores an unconfirmed outcome of an earlier attempt, and records one of its own', async () => {
    expect(await decideFrom({ ...resent, unconfirmed: pushedBefore })).toMatchObject({ settled: [], pushed: [seq] })
    const own = await decideFrom({ ...resent, unconfirmed: { ...pushedBefore, attempt: 2 } })
    expect(own).toMatchObject({ settled: ['pushed'], pushed: [], attempts: [2] })
  })

  test('that was seen, read, stopped or expired has an outcome of its attempt', async () => {
    const rows: readonly (readonly [Facts, outcome: string])[] = [
      [{ reportedSeq: seq }, 'live'],
      [{ readUpTo: seq, hasDevice: false }, 'live'],
      [{ stopped: stoppedByAdmin }, stopped],
      [{ ageMs: old }, expired],
    ]
    for (const [facts, outcome] of rows) {
      const decision = await decideFrom({ ...resent, ...facts })
      expect({ facts, ...decision }).toMatchObject({ facts, settled: [outcome], pushed: [], attempts: [2] })
    }
  })

  test('waits for the inbox projection to know it', async () => {
    const decision = await decideFrom({ ...resent, attemptInInbox: 1 })
    expect(decision).toMatchObject({ settled: [], pushed: [], reasons: ['not-arrived'] })
  })

  test('is left alone if the inbox has a later attempt', async () => {
    const decision = await decideFrom({ ...resent, attemptInInbox: 3 })
    expect(decision).toMatchObject({ settled: [], pushed: [], reasons: ['not-projected'] })
  })
})

test('an outcome of the first attempt has no attempt', async () => {
  expect(await decideFrom({ hasDevice: false })).toMatchObject({ settled: [noDevice], attempts: [undefined] })
})
