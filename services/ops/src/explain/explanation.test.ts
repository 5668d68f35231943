import { notificationIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { describe, expect, it } from 'vitest'
import type { DeliveryRecord } from './delivery-record.ts'
import { explanationText, explainDelivery } from './explanation.ts'

const userId = userIdSchema.parse('0197a8f0-0000-7000-8000-000000000001')
const sentBy = userIdSchema.parse('0197a8f0-0000-7000-8000-000000000002')
/** Created at 2025-06-25T14:09:32.096Z, according to its first 48 bits. */
const notificationId = notificationIdSchema.parse('0197a8f0-4b40-7000-8000-000000000003')
const madeAt = new Date(0x0197a8f04b40).toISOString()
const at = (ms: number): string => new Date(Date.parse(madeAt) + ms).toISOString()

const position = (n: number): string => String(n).padStart(16, '0')
const unsent: DeliveryRecord = {
  userId,
  notificationId,
  now: at(60_000),
  graceMs: 4_000,
  registeredAt: at(-1_000),
  projection: { position: `${position(9)}:00` },
  isOpenInLedger: false,
  devices: [],
  earlierOutcomes: [],
  actions: [],
  shown: { status: 'pending', isRead: false },
}
const toOthers = {
  ...unsent,
  sent: { at: at(20), position: position(6), sentBy, targeted: 3, correlationId: 'req-1' },
} satisfies DeliveryRecord
const held = { at: at(10), position: position(4), sentBy, dueAt: at(8_010) }
const sent: DeliveryRecord = {
  ...toOthers,
  targeted: { at: at(20), position: `${position(5)}:01`, bucket: 'b07' },
}
const arrived: DeliveryRecord = { ...sent, arrival: { seq: 12, number: 9 } }
const settled = (state: 'live' | 'pushed' | 'skipped' | 'failed' | 'cancelled', reason?: string): DeliveryRecord => ({
  ...arrived,
  outcome: { at: at(4_100), position: position(8), attempt: 1, state, ...(reason !== undefined && { reason }) },
})

describe('the ending', () => {
  const endings: readonly [string, DeliveryRecord, RegExp][] = [
    ['no-such-notification', unsent, /No such notification/],
    ['held', { ...unsent, held }, /^It has not been sent: .* due at 2025-06-25 /],
    [
      'held',
      { ...unsent, held: { ...held, missed: 'late' } },
      /not sent when it was due \(late\), and waits for an admin/,
    ],
    ['taken-back', { ...unsent, held, takenBack: { at: at(5_000), position: position(5), by: sentBy } }, /taken back/],
    ['not-a-recipient', toOthers, /did not choose them as a recipient\.$/],
    ['not-a-recipient', { ...toOthers, registeredAt: at(30) }, /they registered after it was sent/],
    ['not-a-recipient', { ...toOthers, erasedAt: at(10) }, /their account was deleted before/],
    [
      'parked',
      { ...sent, projection: { parkedBecause: 'Error: x' } },
      /dead letter \(Error: x\); see make dead-letters/,
    ],
    ['on-its-way-to-the-inbox', { ...sent, projection: {} }, /sent 60 s ago.* has not processed it yet/],
    ['on-its-way-to-the-inbox', { ...sent, projection: { position: `${position(5)}:00` } }, /has not processed it/],
    ['waiting-for-a-tab', { ...arrived, now: at(1_000) }, /open tabs have 4.0 s/],
    ['waiting-for-the-delivery-worker', arrived, /no outcome yet: .* waits for the push provider/],
    [
      'postponed',
      { ...arrived, postponed: { at: at(4_000), position: position(6), until: '2026-11-22T01:30:00.000Z' } },
      /waits until 2026-11-22 07:00 IST, because of quiet hours/,
    ],
    ['live', settled('live'), /^An open screen has shown it\. Not read\.$/],
    [
      'live',
      settled('live', 'sample data'),
      /^It is part of the sample data\. Nothing was sent \(sample data\)\. Not read\.$/,
    ],
    ['pushed', settled('pushed'), /push service accepted it/],
    ['skipped', settled('skipped', 'no device'), /No device is registered for push \(no device\)\./],
    [
      'failed',
      settled('failed', 'provider unavailable'),
      /Resend it when the service works again \(provider unavailable\)\./,
    ],
    ['cancelled', settled('cancelled', 'account deleted'), /account was deleted before .* \(account deleted\)\./],
  ]

  it('follows from the records, with its words', () => {
    expect(endings.map(([, record]) => explainDelivery(record))).toMatchObject(
      endings.map(([ending, , words]) => ({ ending, verdict: expect.stringMatching(words) })),
    )
    const { registeredAt: _registeredAt, ...nobody } = toOthers
    expect(explainDelivery(nobody).ending).toBe('no-such-user')
  })

  it('distinguishes a tab that has shown it from a recipient who had read it before', () => {
    const read = { at: at(500), position: position(7), how: 'with all others' } as const
    expect(explainDelivery({ ...settled('live'), read }).verdict).toBe(
      'They had already read it. Read 480 ms after sending (mark all as read).',
    )
  })

  it('says that the recipient has marked it as unread since', () => {
    const read = { at: at(500), position: position(7), how: 'by itself' } as const
    const record = { ...settled('live'), read, arrival: { seq: 12, number: 9, isMarkedUnread: true } } as const
    expect(explainDelivery(record).verdict).toContain('after sending, and marked as unread since.')
  })
})

it('says when an email told of it', () => {
  const explained = explainDelivery({ ...settled('skipped', 'no device'), emailedAt: '2025-06-26T14:10:00.000Z' })
  expect(explained.verdict).toMatch(/ An email told them of it on 2025-06-26 14:10:00.*\. Not read\.$/)
  expect(explained.steps.at(-1)).toMatchObject({ step: 'emailed', at: '2025-06-26T14:10:00.000Z' })
})

describe('a large campaign', () => {
  const planned = { at: at(10), position: position(4) }

  it('waits for the distributor', () => {
    const explanation = explainDelivery({ ...toOthers, planned })
    expect(explanation.ending).toBe('waiting-for-the-distributor')
    expect(explanation.verdict).toMatch(/still being put into inboxes/)
  })

  it('is withheld after it was stopped', () => {
    const withheld = { at: at(30), position: position(7), reason: 'cancelled by an admin' }
    const explanation = explainDelivery({ ...toOthers, planned, withheld })
    expect(explanation.ending).toBe('cancelled')
    expect(explanation.verdict).toBe('An admin stopped the delivery before it went out. It is not in their inbox.')
    expect(explanation.steps.map(({ step }) => step)).toEqual(['asked', 'planned', 'recorded', 'withheld'])
  })
})

describe('what admins did', () => {
  it('explains each attempt', () => {
    const failed = {
      at: at(4_100),
      position: position(8),
      state: 'failed',
      reason: 'network-error',
      attempt: 1,
    } as const
    const explanation = explainDelivery({
      ...arrived,
      earlierOutcomes: [failed],
      actions: [{ kind: 'resend', by: sentBy, at: at(9_000), position: position(9), attempt: 2 }],
      outcome: { at: at(9_500), position: position(10), state: 'pushed', attempt: 2 },
    })
    expect(explanation.verdict).toBe('The push service accepted it for a device. Not read.')
    const said = explanation.steps.filter(({ step }) => step === 'outcome' || step === 'resend').map(({ says }) => says)
    expect(said).toEqual([
      expect.stringMatching(/^Recorded as 'failed': .*\(network-error\)\.$/),
      `Admin ${sentBy} sent it again, as attempt 2`,
      "Recorded as 'pushed' in attempt 2: The push service accepted it for a device.",
    ])
  })

  it('says whether a withdrawn notification is still in the inbox', () => {
    const recalled = {
      ...settled('live'),
      actions: [{ kind: 'recall', by: sentBy, at: at(9_000), position: position(9) }] as const,
    }
    expect(explainDelivery(recalled).verdict).toMatch(/An admin withdrew it; their inbox still has it\.$/)
    const withdrawn = { ...recalled, arrival: { seq: 12, number: 9, withdrawnAt: at(9_000) } }
    expect(explainDelivery(withdrawn).verdict).toBe(
      'An admin withdrew it, and it is no longer in their inbox. Before that: An open screen has shown it. Not read.',
    )
    const { actions, arrival } = withdrawn
    const skipped = explainDelivery({ ...settled('skipped', 'no device'), actions, arrival })
    expect(skipped.verdict).toMatch(/^An admin withdrew it, .*Before that: No device is registered for push/)
    expect(skipped.steps.find(({ step }) => step === 'inbox')?.says).toMatch(
      /^Withdrawn from their inbox, where it was/,
    )
  })

  it('includes a cancel', () => {
    const actions = [{ kind: 'cancel', by: sentBy, at: at(3_000), position: position(7) }] as const
    const { steps, verdict } = explainDelivery({ ...settled('cancelled', 'cancelled by an admin'), actions })
    expect(steps.find(({ step }) => step === 'cancel')?.says).toBe(`Admin ${sentBy} stopped the pending deliveries`)
    expect(verdict).toMatch(/^An admin stopped the delivery before it went out/)
  })
})

describe('what the console shows', () => {
  const findingOf = (record: DeliveryRecord) => explainDelivery(record).finding
  const read = { at: at(9_100), position: position(9), how: 'by itself' } as const
  const skipped = settled('skipped', 'no device')
  const todo = 'If that stays, see make status; if it finds nothing, make replay P=inbox.'

  it('is a finding if the log has another status, reason or reading', () => {
    const shown = { status: 'skipped', reason: 'no device', isRead: false } as const
    expect(findingOf({ ...skipped, shown })).toBeUndefined()
    expect(findingOf(skipped)).toBe(`The console shows it as pending, not read. ${todo}`)
    const unread = `The console shows it as skipped (no device), not read. ${todo}`
    expect(findingOf({ ...skipped, shown, read })).toBe(unread)
    expect(findingOf({ ...settled('skipped', 'expired'), shown })).toBe(unread)
    expect(findingOf({ ...arrived, shown: { status: 'live', isRead: true } })).toBe(
      `The console shows it as live, read. ${todo}`,
    )
    expect(findingOf({ ...skipped, shown: { unreadable: 'Error: x' } })).toBe(
      `The console cannot show it (Error: x). ${todo}`,
    )
  })

  it('is not compared before the user is a recipient', () => {
    expect(findingOf({ ...toOthers, shown: { unreadable: 'Error: x' } })).toBeUndefined()
    const withheld = { at: at(30), position: position(7), reason: 'cancelled by an admin' }
    expect(findingOf({ ...toOthers, withheld })).toBe(`The console shows it as pending, not read. ${todo}`)
    const shown = { status: 'cancelled', reason: withheld.reason, isRead: false } as const
    expect(findingOf({ ...toOthers, withheld, shown })).toBeUndefined()
  })

  it('is not compared if the inbox lacks the notification', () => {
    const lacking = { ...sent, shown: { unreadable: 'Error: x' } } as const
    expect(findingOf({ ...lacking, projection: {} })).toBeUndefined()
    expect(findingOf({ ...lacking, projection: { parkedBecause: 'Error: x' } })).toBeUndefined()
  })

  it('is the line after the summary', () => {
    const lines = explanationText(explainDelivery(skipped)).split('\n')
    expect(lines.slice(1, 3)).toEqual([findingOf(skipped), ''])
  })
})

describe('the steps', () => {
  const read = { at: at(9_100), position: position(9), how: 'by itself' } as const

  it('are sorted by time, each with the time since the previous one', () => {
    const explanation = explainDelivery({ ...settled('live'), read, erasedAt: at(50_000) })
    expect(explanation.steps.map(({ step, at: time, afterMs }) => [step, time, afterMs])).toEqual([
      ['asked', madeAt, undefined],
      ['recorded', at(20), 20],
      ['inbox', undefined, undefined],
      ['devices', undefined, undefined],
      ['outcome', at(4_100), 4_080],
      ['read', at(9_100), 5_000],
      ['account', at(50_000), 40_900],
    ])
    expect(explanation.isRead).toBe(true)
  })

  it('name the sender and the request, even if the id has no time', () => {
    const keyed = notificationIdSchema.parse('0197a8f0-4b40-8000-8000-000000000003')
    const [first] = explainDelivery({ ...settled('live'), notificationId: keyed }).steps
    expect(first).toMatchObject({ step: 'recorded', says: expect.stringContaining(`admin ${sentBy}, request req-1`) })
    const [confirmed] = explainDelivery({ ...settled('live'), notificationId: keyed, held }).steps
    expect(confirmed).toMatchObject({ step: 'asked', at: held.at })
  })

  it('count the devices registered at that time', () => {
    const devices = [
      { registeredAt: at(-900) },
      { registeredAt: at(-900), removed: { at: at(4_050), reason: 'unregistered' } },
      { registeredAt: at(-900), removed: { at: at(-10), reason: 'logged-out' } },
      { registeredAt: at(30_000) },
    ]
    const step = explainDelivery({ ...settled('pushed'), devices }).steps.find((one) => one.step === 'devices')
    expect(step?.says).toBe('2 devices registered for push, 1 removed meanwhile (unregistered)')
    const none = explainDelivery(settled('skipped', 'no device')).steps.find((one) => one.step === 'devices')
    expect(none?.says).toBe('No push device registered')
  })

  it('are printed as lines', () => {
    const text = explanationText(explainDelivery({ ...settled('live'), read }))
    expect(text.split('\n')[0]).toBe('An open screen has shown it. Read 9.1 s after sending.')
    expect(text).toContain("+4.1 s  Recorded as 'live'")
  })

  it('use the singular for one recipient', () => {
    const facts = settled('live')
    const toOne = { ...facts, sent: { at: at(20), position: position(6), sentBy, targeted: 1 } }
    const saysOf = (of: DeliveryRecord) => explainDelivery(of).steps.find(({ step }) => step === 'recorded')?.says
    expect(saysOf(facts)).toContain('for 3 recipients')
    expect(saysOf(toOne)).toMatch(/ for 1 recipient$/)
  })
})
