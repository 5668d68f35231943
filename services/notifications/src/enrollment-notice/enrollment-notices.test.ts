import { listNotifications, listRecentNotifications } from '@portal/contracts/notifications/http'
import { programRecordIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { Person } from '@portal/notifications/testing/people'
import { startHarness, type Harness } from '@portal/notifications/testing/harness'
import { userIdAt } from '@portal/notifications/testing/samples'
import { deterministicEventId } from '@portal/platform/decider/event-id'
import { openSqliteEventStore } from '@portal/platform/event-store/sqlite'
import { randomUUID } from 'node:crypto'
import { until } from '@portal/platform/testing/until'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CatalogEventOf } from '../bus-messages.ts'
import { enrolledNotice, paymentNotice } from './notice-texts.ts'
import { createSendNotice, noticeMaxAgeMs } from './send-notice.ts'

type Enrollment = CatalogEventOf<'LearnerEnrolled'>['data']

const enrollmentOf = (userId: UserId, enrolledAt = new Date(), n = 1): Enrollment => ({
  userId,
  programId: programRecordIdSchema.parse(`01930000-0000-7000-9000-${String(n).padStart(12, '0')}`),
  programName: `Minor ${n}`,
  currentSemester: 'Semester 1',
  paymentStatus: 'Pending',
  enrolledAt: enrolledAt.toISOString(),
})

let portal: Harness
let admin: Person
let learner: Person
beforeEach(async () => {
  portal = await startHarness()
  const [first, second] = await portal.people(1)
  if (!first || !second) throw new Error('no people')
  ;[admin, learner] = [first, second]
})
afterEach(() => portal.stop())

type Payment = { readonly paymentId: string; readonly amountPaise: number }

const paid = (userId: UserId, paidPaise: number, confirmedPayment?: Payment) => {
  const feeAccount = { installmentsPaise: [1_500_000, 1_500_000, 10_000_050], paidPaise }
  const paymentStatus = paidPaise < 13_000_050 ? ('Pending' as const) : ('Completed' as const)
  const { userId: _, ...enrollment } = enrollmentOf(userId)
  const change = 'payment-confirmed' as const
  return { userId, enrollment: { ...enrollment, paymentStatus, feeAccount }, change, confirmedPayment }
}

/** Records an enrollment as a request does, or as sample data does. */
const enroll = async (data: Enrollment, metadata = { correlationId: randomUUID() }) => {
  const event = { id: randomUUID(), type: 'LearnerEnrolled', data, metadata }
  await portal.context.eventStore.append('catalog-all', 'any', [event])
}

const change = async (data: ReturnType<typeof paid>, more: { readonly occurredAt?: string } = {}) => {
  const metadata = { correlationId: randomUUID(), ...more }
  const event = { id: randomUUID(), type: 'EnrollmentChanged', data, metadata }
  await portal.context.eventStore.append('catalog-all', 'any', [event])
}

const inbox = async () => (await portal.call(listNotifications, { as: learner })).notifications
const titles = async () => (await inbox()).map(({ title }) => title)
const notified = (count: number) => until(async () => expect((await inbox()).length).toBeGreaterThanOrEqual(count))

describe('a notice of an enrollment', () => {
  it('says so in the inbox, as a campaign that the portal has sent to one recipient', async () => {
    await enroll(enrollmentOf(learner.userId))
    await notified(1)
    expect(await inbox()).toMatchObject([
      {
        title: 'You are enrolled in Minor 1',
        type: 'General',
        message: expect.stringContaining('Your seat in Minor 1 is reserved.'),
        isRead: false,
      },
    ])
    // The inbox has it shortly before the history.
    const history = async () => (await portal.call(listRecentNotifications, { as: admin })).notifications
    await until(async () =>
      expect(await history()).toMatchObject([
        {
          title: 'You are enrolled in Minor 1',
          sentBy: { fullName: 'The portal' },
          progress: { targeted: 1, pending: 1 },
        },
      ]),
    )
  })

  it('is sent once for repeated messages, after a restart, and per program', async () => {
    const enrollment = enrollmentOf(learner.userId)
    await enroll(enrollment)
    await enroll(enrollment)
    await notified(1)
    await portal.restart()
    await enroll(enrollment)
    await enroll(enrollmentOf(learner.userId, new Date(), 2))
    await notified(2)
    expect(await titles()).toEqual(['You are enrolled in Minor 2', 'You are enrolled in Minor 1'])
  })

  it('of a move says so, and does not ask for another payment', async () => {
    await enroll({ ...enrollmentOf(learner.userId, new Date(0), 2), movedFrom: enrollmentOf(learner.userId).programId })
    await notified(1)
    expect(await inbox()).toMatchObject([
      {
        title: 'You are in Minor 2 now',
        message: expect.stringContaining('What you have paid counts for it.'),
      },
    ])
  })

  it('is not sent for sample data, which no request has recorded, nor for an enrollment of long ago', async () => {
    const event = { id: randomUUID(), type: 'LearnerEnrolled', data: enrollmentOf(learner.userId), metadata: {} }
    await portal.context.eventStore.append('catalog-all', 'any', [event])
    await enroll(enrollmentOf(learner.userId, new Date(Date.now() - noticeMaxAgeMs - 1_000), 2))
    await enroll(enrollmentOf(learner.userId, new Date(), 3))
    await notified(1)
    expect(await titles()).toEqual(['You are enrolled in Minor 3'])
  })

  it('waits for the projection of its recipient, and is not sent to an erased or deactivated one', async () => {
    const eventStore = openSqliteEventStore({ path: ':memory:' })
    let recipient: string | undefined
    const send = createSendNotice({
      eventStore,
      recipients: { get: async () => recipient },
      clockAndIds: { now: () => new Date() },
    })
    const enrollment = enrollmentOf(userIdAt(7))
    const notice = enrolledNotice(enrollment)
    await expect(send(notice, {})).rejects.toThrow('the recipients projection is behind, retrying')
    for (recipient of ['erased', 'deactivated']) await send(notice, {})
    recipient = 'known'
    await send(notice, {})
    await send(notice, {})
    const types: string[] = []
    const { programId, userId } = enrollment
    const notificationId = deterministicEventId('enrollment-notice', userId, programId)
    for await (const { type } of eventStore.read(`campaign-${notificationId}`)) types.push(type)
    expect(types).toEqual(['RecipientsTargeted', 'CampaignSent'])
    await eventStore.close()
  })
})

describe('a notice of a payment', () => {
  const first = { paymentId: 'first', amountPaise: 1_500_000 }

  it('says what was paid and what is next, once per payment, learner and program', async () => {
    const { userId } = learner
    await change(paid(userId, 1_500_000, first))
    await change(paid(userId, 1_500_000, first))
    await notified(1)
    await portal.restart()
    await change(paid(userId, 1_500_000, first))
    await change(paid(userId, 3_000_000, { ...first, paymentId: 'second' }))
    await change(paid(userId, 13_000_050, { paymentId: 'third', amountPaise: 10_000_050 }))
    await notified(3)
    expect(await inbox()).toMatchObject([
      {
        title: 'Payment received',
        message: 'We have received your payment of ₹1,00,000.50 for Minor 1. Your fees are paid in full.',
      },
      {
        message: 'We have received your payment of ₹15,000 for Minor 1. Installment 3 of 3 is next: ₹1,00,000.50.',
      },
      {
        title: 'Payment received',
        type: 'General',
        message: 'We have received your payment of ₹15,000 for Minor 1. Installment 2 of 3 is next: ₹15,000.',
      },
    ])
  })

  it('is not sent if the admin does not want it, nor for one of long ago', async () => {
    const { userId } = learner
    await change(paid(userId, 1_500_000))
    await change(paid(userId, 1_500_000, first), {
      occurredAt: new Date(Date.now() - noticeMaxAgeMs - 1_000).toISOString(),
    })
    await enroll(enrollmentOf(userId, new Date(), 3))
    await notified(1)
    expect(await titles()).toEqual(['You are enrolled in Minor 3'])
  })

  it('has another id for each payment, learner and program', () => {
    const notices = [
      paymentNotice(paid(userIdAt(1), 1, first), ''),
      paymentNotice(paid(userIdAt(1), 1, { ...first, paymentId: 'second' }), ''),
      paymentNotice(paid(userIdAt(2), 1, first), ''),
    ]
    expect(new Set(notices.map((notice) => notice?.text.notificationId)).size).toBe(3)
  })
})
