import { bucketKey } from '@portal/contracts/shared/buckets'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, it } from 'vitest'
import { knownUsers, someText, userIdAt } from '@portal/notifications/testing/samples'
import { type CampaignState, campaignDecider, type SendCampaign } from './decider.ts'
import { type CampaignEvent, fitsOneAppend } from './events.ts'

const { given } = specification(campaignDecider)
const after = (...events: readonly CampaignEvent[]): CampaignState =>
  events.reduce<CampaignState>((state, event) => campaignDecider.evolve(state, event), campaignDecider.initial)
const text = someText(1)
const [ada, ben] = [userIdAt(1), userIdAt(2)]
const admin = userIdAt(900)

const sendTo = (userIds: SendCampaign['userIds'], more: Partial<SendCampaign> = {}): SendCampaign => ({
  type: 'SendCampaign',
  text,
  sentBy: admin,
  userIds,
  knownUserIds: new Set(userIds),
  ...more,
})

const sentTo = (userId: typeof ada, fingerprint?: string): readonly CampaignEvent[] => [
  { type: 'RecipientsTargeted', data: { text, recipients: [{ bucket: bucketKey(userId), userIds: [userId] }] } },
  {
    type: 'CampaignSent',
    data: {
      text,
      sentBy: admin,
      targeted: 1,
      buckets: [bucketKey(userId)],
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  },
]

describe('sending a campaign', () => {
  it('records the recipients, then the campaign', () => {
    given([])
      .when(sendTo([ada]))
      .then(sentTo(ada))
  })

  it('[C-18] records the button with the text, for the recipients and for the campaign', () => {
    const button = { label: 'Open', url: 'https://exam.example' }
    const decided = campaignDecider.decide(sendTo([ada], { text: { ...text, button } }), campaignDecider.initial)
    expect(decided.ok && decided.value.map(({ data }) => 'text' in data && data.text)).toEqual([
      { ...text, button },
      { ...text, button },
    ])
  })

  it('rejects duplicate recipients and names them', () => {
    given([])
      .when(sendTo([ada, ben, ada]))
      .thenRejected({ reason: 'selected-twice', userIds: [ada] })
  })

  it('rejects unknown recipients and names them', () => {
    const unknown = Array.from({ length: 12 }, (_, n) => userIdAt(n + 100))
    given([])
      .when(sendTo([ada, ...unknown], { knownUserIds: knownUsers(ada) }))
      .thenRejected({ reason: 'unknown-users', userIds: unknown })
  })

  it('records which campaign it reminds of', () => {
    const remindsOf = someText(2).notificationId
    const decided = campaignDecider.decide(sendTo([ada], { remindsOf }), campaignDecider.initial)
    expect(decided.ok && decided.value.at(-1)).toMatchObject({ type: 'CampaignSent', data: { remindsOf } })
  })

  it('rejects an empty selection', () => {
    given([]).when(sendTo([])).thenRejected({ reason: 'none-selected' })
  })

  it('changes nothing for a repeated request, even if a recipient was erased meanwhile', () => {
    given(sentTo(ada, 'f1'))
      .when(sendTo([ada], { fingerprint: 'f1', knownUserIds: knownUsers() }))
      .thenNothing()
  })

  it('rejects another request with the same key', () => {
    given(sentTo(ada, 'f1'))
      .when(sendTo([ada], { fingerprint: 'f2' }))
      .thenRejected({ reason: 'key-used-for-another' })
  })

  it('rejects another request without a key, even if it is identical', () => {
    given(sentTo(ada))
      .when(sendTo([ada]))
      .thenRejected({ reason: 'key-used-for-another' })
  })

  it('records the fingerprint of a request with a key, and none without', () => {
    given([])
      .when(sendTo([ada], { fingerprint: 'f1' }))
      .then(sentTo(ada, 'f1'))
    const decided = campaignDecider.decide(sendTo([ada]), campaignDecider.initial)
    expect(decided.ok && Object.keys(decided.value.at(-1)?.data ?? {})).toEqual([
      'text',
      'sentBy',
      'targeted',
      'buckets',
    ])
  })

  it('targets each of 10,000 recipients once, in chunks of at most 500, within 1 MiB with the longest text', () => {
    const userIds = Array.from({ length: 10_000 }, (_, n) => userIdAt(n))
    const button = { label: '₹'.repeat(40), url: `https://a/${'₹'.repeat(2_038)}` }
    const image = `https://b/${'₹'.repeat(490)}`
    const longest = { ...text, title: '₹'.repeat(200), message: '₹'.repeat(5_000), button, image }
    const decided = campaignDecider.decide(sendTo(userIds, { text: longest }), campaignDecider.initial)
    if (!decided.ok) throw new Error(decided.error.reason)
    const chunks = decided.value.flatMap((event) => (event.type === 'RecipientsTargeted' ? [event.data] : []))
    expect(new Set(chunks.flatMap((chunk) => chunk.recipients.flatMap((part) => part.userIds)))).toEqual(
      new Set(userIds),
    )
    for (const { recipients } of chunks) {
      expect(recipients.flatMap((part) => part.userIds).length).toBeLessThanOrEqual(500)
      for (const { bucket, userIds: inBucket } of recipients)
        for (const userId of inBucket) expect(bucketKey(userId)).toBe(bucket)
    }
    expect(Buffer.byteLength(JSON.stringify(decided.value))).toBeLessThan(900_000)
  })

  it('fits within 1 MiB with the longest translation, too, because fewer recipients are recorded in one append', () => {
    const longest = { title: '₹'.repeat(200), message: '₹'.repeat(5_000), image: `https://b/${'₹'.repeat(490)}` }
    const button = { label: '₹'.repeat(40), url: `https://a/${'₹'.repeat(2_038)}` }
    const translated = { ...text, ...longest, button, translation: { lang: 'hi', ...longest } }
    const most = Array.from({ length: 10_000 }, (_, n) => n).findLast((n) => fitsOneAppend(n, translated, 10_000))
    const userIds = Array.from({ length: most ?? 0 }, (_, n) => userIdAt(n))
    const decided = campaignDecider.decide(sendTo(userIds, { text: translated }), campaignDecider.initial)
    if (!decided.ok) throw new Error(decided.error.reason)
    expect(userIds).toHaveLength(5_000)
    expect(Buffer.byteLength(JSON.stringify(decided.value))).toBeLessThan(900_000)
  })
})

describe('the response to the sender', () => {
  const notificationId = text.notificationId

  it('is recorded', () => {
    given(sentTo(ada, 'f1'))
      .when({ type: 'RecordAnswer', notificationId, successCount: 3 })
      .then([{ type: 'SenderAnswered', data: { notificationId, successCount: 3 } }])
  })

  it('is recorded once: the first response wins', () => {
    given([...sentTo(ada, 'f1'), { type: 'SenderAnswered', data: { notificationId, successCount: 3 } }])
      .when({ type: 'RecordAnswer', notificationId, successCount: 5 })
      .thenNothing()
  })
})

describe('planning a large campaign', () => {
  const planned = (fingerprint?: string): CampaignEvent => ({
    type: 'CampaignPlanned',
    data: {
      text,
      sentBy: admin,
      targeted: 2,
      buckets: [bucketKey(ada)],
      planId: 'plan-1',
      ...(fingerprint === undefined ? {} : { fingerprint }),
    },
  })
  const recipients = [{ bucket: bucketKey(ada), userIds: [ada] }]
  const chunk: CampaignEvent = { type: 'RecipientsPlanned', data: { planId: 'plan-1', recipients } }
  const plan = { type: 'PlanCampaign', text, sentBy: admin, planId: 'plan-1', targeted: 2 } as const
  const distribute = { type: 'DistributeChunks', text, after: 0, chunks: [recipients] } as const
  const { notificationId } = text

  it('accepts the plan once its recipients are recorded', () => {
    given([chunk])
      .when({ ...plan, buckets: [bucketKey(ada)] })
      .then([planned()])
  })

  it('changes nothing for a repeated request, and rejects another one with the same key', () => {
    given([chunk, planned('f1')])
      .when({ ...plan, buckets: [bucketKey(ada)], planId: 'plan-2', fingerprint: 'f1' })
      .thenNothing()
    given([chunk, planned('f1')])
      .when({ ...plan, buckets: [bucketKey(ada)], fingerprint: 'f2' })
      .thenRejected({ reason: 'key-used-for-another' })
  })

  it('gives a planned chunk to its recipients', () => {
    given([chunk, planned()])
      .when(distribute)
      .then([{ type: 'RecipientsTargeted', data: { text, recipients } }])
  })

  it('changes nothing if another process has distributed the chunk', () => {
    const done: CampaignEvent = { type: 'RecipientsTargeted', data: { text, recipients } }
    given([chunk, planned(), done]).when(distribute).thenNothing()
  })

  it.each([
    ['a cancel', 'cancelled by an admin', { type: 'CancelCampaign' }],
    ['a recall', 'withdrawn by an admin', { type: 'RecallCampaign' }],
  ] as const)('withholds the chunks that are left after %s', (_, reason, command) => {
    const stopped = campaignDecider.decide(
      { ...command, notificationId, requestedBy: admin },
      [chunk, planned()].reduce(campaignDecider.evolve, campaignDecider.initial),
    )
    if (!stopped.ok) throw new Error(stopped.error.reason)
    given([chunk, planned(), ...stopped.value])
      .when(distribute)
      .then([{ type: 'RecipientsWithheld', data: { notificationId, recipients, reason } }])
  })
})

describe('a send that is held until it is due', () => {
  const { notificationId } = text
  const recipients = [{ bucket: bucketKey(ada), userIds: [ada] }]
  const sent = { text, sentBy: admin, targeted: 1, buckets: [bucketKey(ada)] }
  const plan = { ...sent, planId: 'plan-1' }
  const hold = { type: 'HoldCampaign', ...plan, dueAt: '2026-11-30T10:00:08.000Z', fingerprint: 'f1' } as const
  const { type: _, ...heldData } = hold
  const held: CampaignEvent = { type: 'CampaignHeld', data: heldData }
  const sendHeld = { type: 'SendHeldCampaign', chunks: undefined } as const
  const takeBack = { type: 'TakeBackCampaign', notificationId, takenBackBy: ben } as const
  const takenBack: CampaignEvent = {
    type: 'CampaignTakenBack',
    data: { notificationId, sentBy: admin, takenBackBy: ben },
  }
  const asPlanned: CampaignEvent = { type: 'CampaignPlanned', data: { ...plan, fingerprint: 'f1' } }

  it('is recorded with its plan and its time, once', () => {
    given([]).when(hold).then([held])
    given([held]).when(hold).thenNothing()
    given([held])
      .when({ ...hold, fingerprint: 'f2' })
      .thenRejected({ reason: 'key-used-for-another' })
  })

  it('is sent as its plan, or at once to all of it, and once', () => {
    given([held]).when(sendHeld).then([asPlanned])
    given([held])
      .when({ ...sendHeld, chunks: [recipients] })
      .then([
        { type: 'RecipientsTargeted', data: { text, recipients } },
        { type: 'CampaignSent', data: { ...plan, fingerprint: 'f1' } },
      ])
    given([held, asPlanned]).when(sendHeld).thenNothing()
    given([]).when(sendHeld).thenRejected({ reason: 'not-sent' })
  })

  it('is taken back once, unless it was sent, and not sent afterwards', () => {
    given([held]).when(takeBack).then([takenBack])
    given([held, takenBack]).when(takeBack).thenNothing()
    given([held, takenBack]).when(sendHeld).thenRejected({ reason: 'taken-back' })
    given([held, takenBack]).when(hold).thenRejected({ reason: 'taken-back' })
    given([held, asPlanned]).when(takeBack).thenRejected({ reason: 'already-sent' })
    given([]).when(takeBack).thenRejected({ reason: 'not-sent' })
  })
})

describe('an action of an admin', () => {
  const { notificationId } = text
  const by = { notificationId, requestedBy: userIdAt(901) }
  const cancelled: CampaignEvent = { type: 'CancelRequested', data: { ...by, buckets: [bucketKey(ada)] } }
  const resent = (attempt: number): CampaignEvent => ({
    type: 'ResendRequested',
    data: { ...by, attempt, recipients: [{ bucket: bucketKey(ada), userIds: [ada] }] },
  })
  const recalled: CampaignEvent = {
    type: 'CampaignRecalled',
    data: { notificationId, recalledBy: by.requestedBy, buckets: [bucketKey(ada)] },
  }

  it('is rejected for an unknown notification', () => {
    for (const type of ['CancelCampaign', 'RecallCampaign'] as const)
      given([])
        .when({ type, ...by })
        .thenRejected({ reason: 'not-sent' })
  })

  it('cancels with the admin and the reason, and only once', () => {
    given(sentTo(ada))
      .when({ type: 'CancelCampaign', ...by, reason: 'wrong date' })
      .then([{ type: 'CancelRequested', data: { ...by, reason: 'wrong date', buckets: [bucketKey(ada)] } }])
    given([...sentTo(ada), cancelled])
      .when({ type: 'CancelCampaign', ...by })
      .thenNothing()
  })

  it('records no empty reason', () => {
    for (const type of ['CancelCampaign', 'RecallCampaign'] as const) {
      const decided = campaignDecider.decide({ type, ...by, reason: '' }, after(...sentTo(ada)))
      expect(decided.ok && decided.value.filter(({ data }) => 'reason' in data)).toEqual([])
    }
    given(sentTo(ada))
      .when({ type: 'CancelCampaign', ...by })
      .then([cancelled])
  })

  it('cancels again after a resend', () => {
    given([...sentTo(ada), cancelled, resent(2)])
      .when({ type: 'CancelCampaign', ...by })
      .then([cancelled])
  })

  it('resends to the given recipients as the next attempt', () => {
    given([...sentTo(ada), resent(2)])
      .when({ type: 'ResendCampaign', ...by, userIds: [ada], attempt: 3 })
      .then([resent(3)])
  })

  it('resends only to recipients of the last attempt, and adds to the same attempt if told to', () => {
    const resend = { type: 'ResendCampaign', ...by, userIds: [ada] } as const
    for (const attempt of [2, 4])
      given([...sentTo(ada), resent(2)])
        .when({ ...resend, attempt })
        .thenRejected({ reason: 'resent-meanwhile' })
    given([...sentTo(ada), resent(2)])
      .when({ ...resend, attempt: 2, continues: true })
      .then([resent(2)])
    given([...sentTo(ada), resent(2), resent(3)])
      .when({ ...resend, attempt: 2, continues: true })
      .thenRejected({ reason: 'resent-meanwhile' })
  })

  it('resends at most four times, to at least one recipient, and never after a recall', () => {
    const resend = { type: 'ResendCampaign', ...by, userIds: [ada], attempt: 2 } as const
    given([...sentTo(ada), ...[2, 3, 4].map(resent)])
      .when({ ...resend, attempt: 5 })
      .then([resent(5)])
    given([...sentTo(ada), ...[2, 3, 4, 5].map(resent)])
      .when({ ...resend, attempt: 6 })
      .thenRejected({ reason: 'too-many-attempts' })
    given(sentTo(ada))
      .when({ ...resend, userIds: [] })
      .thenRejected({ reason: 'nothing-to-resend' })
    given([...sentTo(ada), recalled])
      .when(resend)
      .thenRejected({ reason: 'recalled' })
    given([]).when(resend).thenRejected({ reason: 'not-sent' })
  })

  it('recalls once, and a cancel changes nothing afterwards', () => {
    given(sentTo(ada))
      .when({ type: 'RecallCampaign', ...by })
      .then([
        recalled,
        { type: 'EntriesWithdrawn', data: { notificationId, buckets: [bucketKey(ada)], skip: 0, take: 1_000 } },
      ])
    given([...sentTo(ada), recalled])
      .when({ type: 'RecallCampaign', ...by })
      .thenNothing()
    given([...sentTo(ada), recalled])
      .when({ type: 'CancelCampaign', ...by })
      .thenNothing()
  })

  it('withdraws at most 1,000 entries of a bucket per message', () => {
    const userIds = Array.from({ length: 2_001 }, (_, n) => userIdAt(n))
    const inBuckets = (buckets: readonly [string, number][]): CampaignEvent => ({
      type: 'RecipientsTargeted',
      data: { text, recipients: buckets.map(([bucket, count]) => ({ bucket, userIds: userIds.slice(0, count) })) },
    })
    const sent: CampaignEvent = {
      type: 'CampaignSent',
      data: { text, sentBy: admin, targeted: 2_601, buckets: ['b00', 'b01'] },
    }
    const slice = (buckets: string[], skip: number): CampaignEvent => ({
      type: 'EntriesWithdrawn',
      data: { notificationId, buckets, skip, take: 1_000 },
    })
    given([
      inBuckets([['b00', 1_500]]),
      inBuckets([
        ['b00', 501],
        ['b01', 600],
      ]),
      sent,
    ])
      .when({ type: 'RecallCampaign', ...by })
      .then([
        { type: 'CampaignRecalled', data: { notificationId, recalledBy: by.requestedBy, buckets: ['b00', 'b01'] } },
        slice(['b00', 'b01'], 0),
        slice(['b00'], 1_000),
        slice(['b00'], 2_000),
      ])
  })

  it('withdraws the entries of a bucket with exactly 1,000 in one message', () => {
    const chunks = [0, 500].map((from): CampaignEvent => {
      const userIds = Array.from({ length: 500 }, (_, n) => userIdAt(from + n))
      return { type: 'RecipientsTargeted', data: { text, recipients: [{ bucket: 'b00', userIds }] } }
    })
    const few: CampaignEvent = {
      type: 'RecipientsTargeted',
      data: {
        text,
        recipients: [
          { bucket: 'b01', userIds: Array.from({ length: 1_001 }, (_, n) => userIdAt(n)) },
          { bucket: 'b02', userIds: [ada] },
        ],
      },
    }
    const buckets = ['b00', 'b01', 'b02']
    given([...chunks, few, { type: 'CampaignSent', data: { text, sentBy: admin, targeted: 2_002, buckets } }])
      .when({ type: 'RecallCampaign', ...by })
      .then([
        { type: 'CampaignRecalled', data: { notificationId, recalledBy: by.requestedBy, buckets } },
        { type: 'EntriesWithdrawn', data: { notificationId, buckets, skip: 0, take: 1_000 } },
        { type: 'EntriesWithdrawn', data: { notificationId, buckets: ['b01'], skip: 1_000, take: 1_000 } },
      ])
  })

  it('records an export', () => {
    given([])
      .when({ type: 'RecordExport', ...by, rows: 12 })
      .thenRejected({ reason: 'not-sent' })
    given(sentTo(ada))
      .when({ type: 'RecordExport', ...by, rows: 12 })
      .then([{ type: 'RecipientsExported', data: { ...by, rows: 12 } }])
  })
})

it('outcomes, waits, plans, withdrawals and exports do not affect decisions', () => {
  const { notificationId } = text
  const recipients = [{ bucket: bucketKey(ada), userIds: [ada] }]
  const events: readonly CampaignEvent[] = [
    { type: 'RecipientsSettled', data: { notificationId, settled: [] } },
    { type: 'RecipientsPostponed', data: { notificationId, until: '2026-12-01T02:00:00.000Z', recipients } },
    { type: 'RecipientsPlanned', data: { planId: 'plan-1', recipients } },
    { type: 'EntriesWithdrawn', data: { notificationId, buckets: [], skip: 0, take: 1_000 } },
    { type: 'RecipientsExported', data: { notificationId, requestedBy: admin, rows: 1 } },
  ]
  for (const event of events)
    expect(campaignDecider.evolve(campaignDecider.initial, event)).toBe(campaignDecider.initial)
})

it('counts the chunks that recipients got or that were withheld from them', () => {
  const { notificationId } = text
  const recipients = [{ bucket: bucketKey(ada), userIds: [ada] }]
  const targeted: CampaignEvent = { type: 'RecipientsTargeted', data: { text, recipients } }
  const withheld: CampaignEvent = {
    type: 'RecipientsWithheld',
    data: { notificationId, recipients, reason: 'cancelled by an admin' },
  }
  expect(after(targeted)).toMatchObject({ chunks: 1, distributed: { [bucketKey(ada)]: 1 } })
  expect(after(targeted, withheld)).toMatchObject({ chunks: 2, distributed: { [bucketKey(ada)]: 1 } })
})

it('keeps the category in the name of every stream', () => expect(campaignDecider.category).toBe('campaign'))
