import { programRecordIdSchema } from '@portal/contracts/shared/ids'
import type { Position } from '@portal/platform/event-store/port'
import { callerId } from '@portal/catalog/testing/harness'
import { expect, it } from 'vitest'
import { enrollmentPublisher } from './publish.ts'

const published = (type: string, data: object) =>
  enrollmentPublisher
    .publish({
      kind: 'event',
      // As the SQLite store formats them.
      position: '0000000000000001' as Position,
      stream: `enrollment-${callerId}`,
      revision: 0,
      id: 'event-1',
      type,
      data,
      metadata: {},
      at: '2026-11-21T10:00:00.000Z',
    })
    .map((message) => ({ type: message.type, data: message.data }))

const [from, to] = [1, 2].map((n) => programRecordIdSchema.parse(`01930000-0000-7000-9000-00000000000${n}`))
const enrollment = {
  programId: to,
  programName: 'Data',
  currentSemester: 'Semester 2',
  paymentStatus: 'Pending',
  enrolledAt: '2026-11-21T10:00:00.000Z',
}
const userId = callerId

it('a move ends one enrollment and begins another, which says where the learner comes from', () => {
  expect(published('EnrollmentMoved', { userId, fromProgramId: from, enrollment })).toEqual([
    { type: 'EnrollmentEnded', data: { userId, programId: from, change: 'moved' } },
    { type: 'LearnerEnrolled', data: { userId, ...enrollment, movedFrom: from } },
  ])
})

it('what an admin typed is published as it is recorded: encrypted', () => {
  const payment = { paymentId: 'a', amountPaise: 1, paidOn: '2026-11-20', reference: 'cipher', referenceIndex: 'index' }
  expect([
    ...published('PaymentConfirmed', { userId, enrollment, payment }),
    ...published('PaymentsReverted', { userId, enrollment, paymentIds: ['a'], reason: 'cipher' }),
    ...published('EnrollmentWithdrawn', { userId, programId: to, reason: 'cipher' }),
  ]).toEqual([
    { type: 'EnrollmentChanged', data: { userId, enrollment, change: 'payment-confirmed', reference: 'cipher' } },
    { type: 'EnrollmentChanged', data: { userId, enrollment, change: 'payments-reverted', reason: 'cipher' } },
    { type: 'EnrollmentEnded', data: { userId, programId: to, change: 'withdrawn', reason: 'cipher' } },
  ])
})
