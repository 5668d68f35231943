import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { specification } from '@portal/platform/testing/decider/specification'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { callerId } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'
import { type EnrollmentCommand, enrollmentDecider, type EnrollmentsState, maxEnrollments } from './decider.ts'
import type { EnrollmentEvent, RecordedEnrollment } from './events.ts'

const { given } = specification(enrollmentDecider)
const enrolledAt = '2026-11-21T10:00:00.000Z'
const movedAt = '2026-11-25T10:00:00.000Z'
const installmentsPaise = [1_500_000, 1_500_000, 1_500_000]
const typed = encryptedTextSchema.parse('encrypted')

const inProgram = (number: number) => ({
  userId: callerId,
  programId: programIdOf(number),
  programName: `Program ${number}`,
})
const enroll = (number: number): EnrollmentCommand => ({ type: 'Enroll', ...inProgram(number), enrolledAt })
const enrollmentIn = (number: number, changed: Partial<RecordedEnrollment> = {}): RecordedEnrollment => ({
  programId: programIdOf(number),
  programName: `Program ${number}`,
  enrolledAt,
  currentSemester: 'Semester 1',
  paymentStatus: 'Pending',
  ...changed,
})
const enrolled = (number: number): EnrollmentEvent => ({
  type: 'LearnerEnrolled',
  data: {
    userId: callerId,
    programId: programIdOf(number),
    programName: `Program ${number}`,
    enrolledAt,
    currentSemester: 'Semester 1',
    paymentStatus: 'Pending',
  },
})

const payment = (paymentId: string, amountPaise = 1_500_000, referenceIndex?: string) => ({
  paymentId,
  amountPaise,
  paidOn: '2026-11-20',
  ...(referenceIndex !== undefined && { reference: typed, referenceIndex }),
})
type PaymentOf = ReturnType<typeof payment>
const confirmOf = (one: PaymentOf, number = 1) => ({
  type: 'ConfirmPayment' as const,
  ...inProgram(number),
  payment: one,
  notify: false,
  installmentsPaise,
})
const confirm = (one: PaymentOf, number = 1): EnrollmentCommand => confirmOf(one, number)
const paid = (paidPaise: number) => ({
  feeAccount: { installmentsPaise, paidPaise },
  paymentStatus: paidPaise >= 4_500_000 ? ('Completed' as const) : ('Pending' as const),
})
const confirmed = (one: PaymentOf, paidPaise: number): EnrollmentEvent => ({
  type: 'PaymentConfirmed',
  data: { userId: callerId, enrollment: enrollmentIn(1, paid(paidPaise)), payment: one },
})
const revert = (paymentId?: string): EnrollmentCommand => ({
  type: 'RevertPayments',
  ...inProgram(1),
  paymentId,
  reason: typed,
  installmentsPaise,
})
const reverted = (paymentIds: string[], paidPaise: number): EnrollmentEvent => ({
  type: 'PaymentsReverted',
  data: {
    userId: callerId,
    enrollment: enrollmentIn(1, paidPaise === 0 ? {} : paid(paidPaise)),
    paymentIds,
    reason: typed,
  },
})
const withdraw: EnrollmentCommand = { type: 'Withdraw', ...inProgram(1), reason: typed }
const withdrawn: EnrollmentEvent = {
  type: 'EnrollmentWithdrawn',
  data: { userId: callerId, programId: programIdOf(1), reason: typed },
}
const reinstate: EnrollmentCommand = { type: 'Reinstate', ...inProgram(1) }
const move = (from: number, to: number): EnrollmentCommand => ({
  type: 'Move',
  ...inProgram(to),
  fromProgramId: programIdOf(from),
  movedAt,
  installmentsPaise,
})
const moved = (from: number, enrollment: RecordedEnrollment): EnrollmentEvent => ({
  type: 'EnrollmentMoved',
  data: { userId: callerId, fromProgramId: programIdOf(from), enrollment },
})
const notEnrolled = { reason: 'not-enrolled' } as const

describe('enrolling', () => {
  test('is recorded in the first semester with payment pending', () => {
    given([])
      .when(enroll(1))
      .then([enrolled(1)])
  })

  test('in a second program is recorded', () => {
    given([enrolled(1)])
      .when(enroll(2))
      .then([enrolled(2)])
  })

  test('again changes nothing, even if the program has been renamed', () => {
    given([enrolled(1)])
      .when({ type: 'Enroll', ...inProgram(1), programName: 'Renamed', enrolledAt: movedAt })
      .thenNothing()
  })

  test('is limited in number, but a retry still succeeds', () => {
    const all = Array.from({ length: maxEnrollments }, (_, n) => enrolled(n + 1))
    given(all)
      .when(enroll(maxEnrollments + 1))
      .thenRejected({ reason: 'too-many' })
    given(all).when(enroll(1)).thenNothing()
    given([...all, withdrawn])
      .when(enroll(maxEnrollments + 1))
      .then([enrolled(maxEnrollments + 1)])
  })

  test('after a withdrawal starts again, without the payments', () => {
    const before = [enrolled(1), confirmed(payment('a', 4_500_000), 4_500_000), withdrawn]
    given(before)
      .when(enroll(1))
      .then([enrolled(1)])
    given([...before, enrolled(1)])
      .when(confirm(payment('b')))
      .then([confirmed(payment('b'), 1_500_000)])
  })
})

describe('confirming a payment', () => {
  test('pays an installment, and completes the fees with the last', () => {
    const [first, second, third] = [payment('a'), payment('b'), payment('c')]
    given([enrolled(1)])
      .when(confirm(first))
      .then([confirmed(first, 1_500_000)])
    given([enrolled(1), confirmed(first, 1_500_000), confirmed(second, 3_000_000)])
      .when(confirm(third))
      .then([confirmed(third, 4_500_000)])
  })

  test('takes all fees at once, but no amount that leaves an installment open in part', () => {
    given([enrolled(1)])
      .when(confirm(payment('a', 4_500_000)))
      .then([confirmed(payment('a', 4_500_000), 4_500_000)])
    given([enrolled(1)])
      .when(confirm(payment('a', 1_400_000)))
      .thenRejected({ reason: 'amount-differs', duePaise: 1_500_000 })
  })

  test('again with the same request changes nothing, also after it was reverted', () => {
    const events = [enrolled(1), confirmed(payment('a'), 1_500_000)]
    given(events)
      .when(confirm(payment('a')))
      .thenNothing()
    given([...events, reverted(['a'], 0)])
      .when(confirm(payment('a')))
      .thenNothing()
  })

  test('again with the same reference says that it is paid, unless that payment was reverted', () => {
    const events = [enrolled(1), confirmed(payment('a', 1_500_000, 'utr'), 1_500_000)]
    const again = payment('b', 1_500_000, 'utr')
    given(events).when(confirm(again)).thenRejected({ reason: 'already-paid' })
    given([...events, reverted(['a'], 0)])
      .when(confirm(again))
      .then([confirmed(again, 1_500_000)])
    const other = payment('b', 1_500_000, 'another utr')
    given(events)
      .when(confirm(other))
      .then([confirmed(other, 3_000_000)])
  })

  test('of the day and amount of a recorded one is a repeat where repeats are left out', () => {
    const events = [enrolled(1), confirmed(payment('a'), 1_500_000)]
    const leaveOut = (one: PaymentOf) => ({ ...confirmOf(one), leaveOutRepeats: true })
    for (const again of [payment('b'), payment('b', 1_500_000, 'utr')])
      given(events).when(leaveOut(again)).thenRejected({ reason: 'repeated' })
    given(events)
      .when(leaveOut(payment('a')))
      .thenNothing()
    given([...events, reverted(['a'], 0)])
      .when(leaveOut(payment('b')))
      .then([confirmed(payment('b'), 1_500_000)])
    const [dearer, later] = [payment('b', 3_000_000), { ...payment('b'), paidOn: '2026-11-21' }]
    given(events)
      .when(leaveOut(dearer))
      .then([confirmed(dearer, 4_500_000)])
    given(events)
      .when(leaveOut(later))
      .then([confirmed(later, 3_000_000)])
  })

  test('with a reference of its own is no repeat', () => {
    const [one, other] = [payment('a', 1_500_000, 'utr'), payment('b', 1_500_000, 'another utr')]
    given([enrolled(1), confirmed(one, 1_500_000)])
      .when({ ...confirmOf(other), leaveOutRepeats: true })
      .then([confirmed(other, 3_000_000)])
    given([enrolled(1), confirmed(one, 1_500_000)])
      .when({ ...confirmOf(payment('b')), leaveOutRepeats: true })
      .thenRejected({ reason: 'repeated' })
  })

  test('is rejected once all is paid', () => {
    given([enrolled(1), confirmed(payment('a', 4_500_000), 4_500_000)])
      .when(confirm(payment('b')))
      .thenRejected({ reason: 'already-paid' })
  })

  test('needs an enrollment in this program', () => {
    given([])
      .when(confirm(payment('a')))
      .thenRejected(notEnrolled)
    given([enrolled(2)])
      .when(confirm(payment('a')))
      .thenRejected({ reason: 'other-program' })
    given([enrolled(1), withdrawn])
      .when(confirm(payment('a')))
      .thenRejected(notEnrolled)
  })

  test('asks for the installments of now, and records that the learner is to be told', () => {
    const one = payment('a', 900_000)
    given([enrolled(1)])
      .when({ type: 'ConfirmPayment', ...inProgram(1), payment: one, notify: true, installmentsPaise: [900_000] })
      .then([
        {
          type: 'PaymentConfirmed',
          data: {
            userId: callerId,
            enrollment: enrollmentIn(1, {
              feeAccount: { installmentsPaise: [900_000], paidPaise: 900_000 },
              paymentStatus: 'Completed',
            }),
            payment: one,
            notify: true,
          },
        },
      ])
  })
})

describe('the fees of a program that change', () => {
  const dearer = { installmentsPaise: [2_000_000, 2_000_000] }
  const first = payment('a')

  test('hold for learners who have not paid, and those at the first payment for the others', () => {
    given([enrolled(1)])
      .when({ ...confirmOf(first), ...dearer })
      .thenRejected({ reason: 'amount-differs', duePaise: 2_000_000 })
    given([enrolled(1), confirmed(first, 1_500_000)])
      .when({ ...confirmOf(payment('b')), ...dearer })
      .then([confirmed(payment('b'), 3_000_000)])
  })

  test('hold again once all payments are set back', () => {
    const again = payment('b', 4_000_000)
    const { paymentId } = first
    given([enrolled(1), confirmed(first, 1_500_000), reverted([paymentId], 0)])
      .when({ ...confirmOf(again), ...dearer })
      .then([
        {
          type: 'PaymentConfirmed',
          data: {
            userId: callerId,
            enrollment: enrollmentIn(1, {
              feeAccount: { ...dearer, paidPaise: 4_000_000 },
              paymentStatus: 'Completed',
            }),
            payment: again,
          },
        },
      ])
  })

  test('to none leave nothing to pay', () => {
    given([enrolled(1)])
      .when({ ...confirmOf(first), installmentsPaise: [] })
      .thenRejected({ reason: 'nothing-due' })
  })
})

describe('setting back to pending', () => {
  const paidTwice = [enrolled(1), confirmed(payment('a'), 1_500_000), confirmed(payment('b'), 3_000_000)]

  test('reverts all payments, or those of one request', () => {
    given(paidTwice)
      .when(revert())
      .then([reverted(['a', 'b'], 0)])
    given(paidTwice)
      .when(revert('b'))
      .then([reverted(['b'], 1_500_000)])
    given([...paidTwice, reverted(['b'], 1_500_000)])
      .when(confirm(payment('c')))
      .then([confirmed(payment('c'), 3_000_000)])
  })

  test('takes all payments of one request back, together', () => {
    const second = confirmed(payment('b:2'), 4_500_000)
    given([...paidTwice, second])
      .when(revert('b'))
      .then([reverted(['b', 'b:2'], 1_500_000)])
    given([...paidTwice, second, reverted(['b:2'], 3_000_000)])
      .when(revert('b:2'))
      .thenNothing()
  })

  test('again changes nothing, and without payments is rejected', () => {
    given([...paidTwice, reverted(['b'], 1_500_000)])
      .when(revert('b'))
      .thenNothing()
    given([enrolled(1)])
      .when(revert())
      .thenRejected({ reason: 'nothing-paid' })
    given(paidTwice).when(revert('c')).thenRejected({ reason: 'nothing-paid' })
    given([...paidTwice, reverted(['a', 'b'], 0)])
      .when(revert())
      .thenRejected({ reason: 'nothing-paid' })
    given([]).when(revert()).thenRejected(notEnrolled)
  })
})

describe('an enrollment that was completed before payments were recorded', () => {
  const completed: EnrollmentEvent = {
    type: 'LearnerEnrolled',
    data: { ...inProgram(1), enrolledAt, currentSemester: 'Semester 1', paymentStatus: 'Completed' },
  }

  test('is set back as a whole, but has no payment of a request', () => {
    given([completed])
      .when(revert())
      .then([reverted([], 0)])
    given([completed]).when(revert('a')).thenRejected({ reason: 'nothing-paid' })
  })

  test('stays completed in another program', () => {
    given([completed])
      .when(move(1, 2))
      .then([moved(1, enrollmentIn(2, { enrolledAt: movedAt, paymentStatus: 'Completed' }))])
  })
})

describe('a semester', () => {
  const set: EnrollmentCommand = { type: 'SetSemester', ...inProgram(1), semester: 'Semester 2' }
  const changed: EnrollmentEvent = {
    type: 'SemesterChanged',
    data: { userId: callerId, enrollment: enrollmentIn(1, { currentSemester: 'Semester 2' }) },
  }

  test('is set once, with the current name of the program', () => {
    given([enrolled(1)])
      .when(set)
      .then([changed])
    given([enrolled(1), changed])
      .when(set)
      .thenNothing()
    given([enrolled(1)])
      .when({ ...set, programName: 'Renamed' })
      .then([
        {
          type: 'SemesterChanged',
          data: {
            userId: callerId,
            enrollment: enrollmentIn(1, { programName: 'Renamed', currentSemester: 'Semester 2' }),
          },
        },
      ])
  })
})

describe('a withdrawal', () => {
  test('ends the enrollment, once', () => {
    given([enrolled(1)])
      .when(withdraw)
      .then([withdrawn])
    given([enrolled(1), withdrawn])
      .when(withdraw)
      .thenRejected(notEnrolled)
  })

  test('is undone with payments and semester', () => {
    const before = [enrolled(1), confirmed(payment('a'), 1_500_000), withdrawn]
    const reinstated: EnrollmentEvent = {
      type: 'EnrollmentReinstated',
      data: { userId: callerId, enrollment: enrollmentIn(1, paid(1_500_000)) },
    }
    given(before).when(reinstate).then([reinstated])
    given([...before, reinstated])
      .when(reinstate)
      .thenNothing()
    given([...before, reinstated])
      .when(revert())
      .then([reverted(['a'], 0)])
    given([]).when(reinstate).thenRejected(notEnrolled)
    given([...before, enrolled(1)])
      .when(reinstate)
      .then([reinstated])
    given([...before, enrolled(1), confirmed(payment('b'), 1_500_000)])
      .when(reinstate)
      .thenNothing()
  })

  test('is undone once, also without payments', () => {
    const reinstated: EnrollmentEvent = {
      type: 'EnrollmentReinstated',
      data: { userId: callerId, enrollment: enrollmentIn(1) },
    }
    given([enrolled(1), withdrawn, reinstated])
      .when(reinstate)
      .thenNothing()
    given([reinstated]).when(withdraw).then([withdrawn])
  })

  test('is not undone by what was moved away', () => {
    const away = moved(1, enrollmentIn(2, { enrolledAt: movedAt, ...paid(1_500_000) }))
    given([enrolled(1), confirmed(payment('a'), 1_500_000), away])
      .when(reinstate)
      .thenRejected({ reason: 'other-program' })
  })
})

describe('a move to another program', () => {
  const unpaid = moved(1, enrollmentIn(2, { enrolledAt: movedAt }))

  test('ends one enrollment and begins the other, with the payments', () => {
    given([enrolled(1)])
      .when(move(1, 2))
      .then([unpaid])
    given([enrolled(1), confirmed(payment('a'), 1_500_000)])
      .when(move(1, 2))
      .then([moved(1, enrollmentIn(2, { enrolledAt: movedAt, ...paid(1_500_000) }))])
    given([enrolled(1), unpaid])
      .when(withdraw)
      .thenRejected({ reason: 'other-program' })
  })

  test('back restores the time of enrollment and takes the payments along', () => {
    const there = moved(1, enrollmentIn(2, { enrolledAt: movedAt, ...paid(1_500_000) }))
    const back = moved(2, enrollmentIn(1, paid(1_500_000)))
    const events = [enrolled(1), confirmed(payment('a'), 1_500_000), there]
    given(events).when(move(2, 1)).then([back])
    given([...events, back])
      .when(revert())
      .then([reverted(['a'], 0)])
  })

  test('needs the one enrollment and not the other', () => {
    given([enrolled(1), enrolled(2)])
      .when(move(1, 2))
      .thenRejected({ reason: 'already-enrolled' })
    given([enrolled(2)])
      .when(move(1, 3))
      .thenRejected({ reason: 'other-program' })
  })
})

test('counts how often a learner has begun, and keeps no payments where they were moved from', () => {
  const after = (...events: readonly EnrollmentEvent[]): EnrollmentsState =>
    events.reduce<EnrollmentsState>((state, event) => enrollmentDecider.evolve(state, event), enrollmentDecider.initial)
  const again = after(enrolled(1), withdrawn, enrolled(1))
  expect(again.get(programIdOf(1))).toMatchObject({ times: 2, isCurrent: true })
  const there = moved(1, enrollmentIn(2, { enrolledAt: movedAt, ...paid(1_500_000) }))
  const state = after(enrolled(1), confirmed(payment('a'), 1_500_000), there)
  expect(state.get(programIdOf(1))).toMatchObject({ times: 1, isCurrent: false, payments: [] })
  expect(state.get(programIdOf(2))).toMatchObject({ times: 1, isCurrent: true, payments: [payment('a')] })
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => enrollmentDecider.parse({ type: 'LearnerLeft', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => enrollmentDecider.parse({ type: 'LearnerEnrolled', data: { userId: callerId } })).toThrow(ZodError)
})

test('keeps the category in the name of every stream', () => {
  expect(enrollmentDecider.category).toBe('enrollment')
})
