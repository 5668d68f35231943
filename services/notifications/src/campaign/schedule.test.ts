import { limits } from '@portal/contracts/shared/rules'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, it } from 'vitest'
import { someText, userIdAt } from '@portal/notifications/testing/samples'
import { campaignDecider, type SendCampaign } from './decider.ts'
import type { CampaignEvent, CampaignEventOf } from './events.ts'
import type { ChangeScheduledSend, DiscardScheduledSend, MissScheduledSend, ScheduleSend } from './schedule.ts'

const { given } = specification(campaignDecider)
const text = someText(1)
const { notificationId } = text
const [ada, admin, other] = [userIdAt(1), userIdAt(900), userIdAt(901)]
const nowMs = Date.parse('2026-11-30T10:00:00.000Z')
const at = (aheadMs: number): string => new Date(nowMs + aheadMs).toISOString()
const fingerprint = 'of the request'

const content = { text, userIds: [ada], says: 'Chosen by hand: 1 person', targeted: 1, sendAt: at(3_600_000) }
const schedule = (more: Partial<ScheduleSend> = {}): ScheduleSend => ({
  type: 'ScheduleSend',
  ...content,
  sentBy: admin,
  fingerprint,
  nowMs,
  ...more,
})
const change = (more: Partial<ChangeScheduledSend> = {}): ChangeScheduledSend => ({
  type: 'ChangeScheduledSend',
  ...content,
  sendAt: at(7_200_000),
  changedBy: other,
  version: 1,
  nowMs,
  ...more,
})
const discard: DiscardScheduledSend = { type: 'DiscardScheduledSend', notificationId, discardedBy: other }
const miss = (version = 1): MissScheduledSend => ({
  type: 'MissScheduledSend',
  notificationId,
  version,
  reason: 'late',
})
const send = (scheduled?: SendCampaign['scheduled']): SendCampaign => ({
  type: 'SendCampaign',
  text,
  sentBy: admin,
  userIds: [ada],
  knownUserIds: new Set([ada]),
  fingerprint,
  ...(scheduled && { scheduled }),
})

const scheduled: CampaignEvent = { type: 'SendScheduled', data: { ...content, sentBy: admin, fingerprint } }
const changed: CampaignEventOf<'ScheduledSendChanged'> = {
  type: 'ScheduledSendChanged',
  data: { ...content, sendAt: at(7_200_000), sentBy: admin, changedBy: other, version: 2 },
}
const discarded: CampaignEvent = { type: 'ScheduledSendDiscarded', data: { notificationId, discardedBy: other } }
const missed: CampaignEvent = { type: 'ScheduledSendMissed', data: { notificationId, reason: 'late' } }
const sentEvents = (): readonly CampaignEvent[] => {
  const decided = campaignDecider.decide(send(), campaignDecider.initial)
  return decided.ok ? decided.value : []
}

describe('scheduling a send', () => {
  it('records what is sent, to whom and when, and a repeated request changes nothing', () => {
    given([]).when(schedule()).then([scheduled])
    given([scheduled])
      .when(schedule({ nowMs: nowMs + 86_400_000 }))
      .then([])
    given([scheduled, ...sentEvents()])
      .when(schedule())
      .then([])
  })

  it('takes a time from 1 minute to 12 months ahead', () => {
    const year = Date.parse('2027-11-30T10:00:00.000Z') - nowMs
    given([])
      .when(schedule({ sendAt: at(59_999) }))
      .thenRejected({ reason: 'too-soon' })
    given([])
      .when(schedule({ sendAt: at(year + 1) }))
      .thenRejected({ reason: 'too-far-ahead' })
    for (const aheadMs of [60_000, year]) {
      const sendAt = at(aheadMs)
      const data = { ...content, sendAt, sentBy: admin, fingerprint }
      given([])
        .when(schedule({ sendAt }))
        .then([{ type: 'SendScheduled', data }])
    }
  })

  it('names a limited number of people, so that it fits into one append', () => {
    const half = Array.from({ length: limits.recipientsPerSend }, (_, n) => userIdAt(n))
    const audience = { include: half, exclude: half, contactIds: [ada] }
    given([])
      .when(schedule({ userIds: undefined, audience }))
      .thenRejected({ reason: 'too-many-named' })
    const longest = { title: 'अ'.repeat(limits.titleChars), message: 'अ'.repeat(limits.messageChars) }
    const largest = { ...schedule({ userIds: undefined, audience: { include: half, exclude: half } }) }
    const decided = campaignDecider.decide(
      { ...largest, text: { ...text, ...longest, translation: { lang: 'hi', ...longest } } },
      campaignDecider.initial,
    )
    expect(Buffer.byteLength(JSON.stringify(decided))).toBeLessThan(1_048_576)
  })

  it('is a conflict with another send of the same key', () => {
    const conflict = { reason: 'key-used-for-another' } as const
    given([scheduled])
      .when(schedule({ fingerprint: 'another' }))
      .thenRejected(conflict)
    given(sentEvents()).when(schedule()).thenRejected(conflict)
    given([scheduled]).when(send()).thenRejected(conflict)
  })
})

describe('changing what is scheduled', () => {
  it('counts the versions, and of two changes of one version the first wins', () => {
    given([scheduled]).when(change()).then([changed])
    given([scheduled, changed]).when(change()).thenRejected({ reason: 'changed-meanwhile' })
    given([scheduled, changed])
      .when(change({ version: 2, sendAt: at(60_000) }))
      .then([{ ...changed, data: { ...changed.data, sendAt: at(60_000), version: 3 } }])
  })

  it('takes the same times as scheduling', () => {
    given([scheduled])
      .when(change({ sendAt: at(0) }))
      .thenRejected({ reason: 'too-soon' })
  })

  it('is too late once it was sent or discarded', () => {
    given([scheduled, ...sentEvents()])
      .when(change())
      .thenRejected({ reason: 'already-sent' })
    given([scheduled, discarded]).when(change()).thenRejected({ reason: 'discarded' })
    given(sentEvents()).when(change()).thenRejected({ reason: 'not-sent' })
  })

  it('gives a missed one another chance', () => {
    given([scheduled, missed]).when(change()).then([changed])
    given([scheduled, missed, changed])
      .when(send({ version: 2, isDue: true }))
      .then(sentEvents())
  })
})

describe('discarding what is scheduled', () => {
  it('ends it for whoever asks later', () => {
    given([scheduled]).when(discard).then([discarded])
    given([scheduled, discarded]).when(discard).then([])
    for (const isDue of [undefined, true] as const)
      given([scheduled, discarded])
        .when(send({ version: 1, ...(isDue && { isDue }) }))
        .thenRejected({ reason: 'discarded' })
    given([scheduled, discarded]).when(schedule()).thenRejected({ reason: 'discarded' })
  })

  it('is too late once it was sent', () => {
    given([scheduled, ...sentEvents()])
      .when(discard)
      .thenRejected({ reason: 'already-sent' })
    given([]).when(discard).thenRejected({ reason: 'not-sent' })
  })
})

describe('sending what is scheduled', () => {
  it('sends the version that was read, once', () => {
    given([scheduled])
      .when(send({ version: 1, isDue: true }))
      .then(sentEvents())
    given([scheduled, changed])
      .when(send({ version: 1 }))
      .thenRejected({ reason: 'changed-meanwhile' })
    given([scheduled, ...sentEvents()])
      .when(send({ version: 1 }))
      .then([])
  })

  it('leaves a missed one to an admin', () => {
    given([scheduled]).when(miss()).then([missed])
    given([scheduled, missed])
      .when(send({ version: 1, isDue: true }))
      .thenRejected({ reason: 'missed' })
    given([scheduled, missed])
      .when(send({ version: 1 }))
      .then(sentEvents())
  })

  it('misses nothing that an admin was faster with', () => {
    for (const before of [
      [scheduled, changed],
      [scheduled, discarded],
      [scheduled, missed],
      [scheduled, ...sentEvents()],
      [],
    ])
      given(before).when(miss()).then([])
  })
})
