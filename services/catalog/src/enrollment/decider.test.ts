import { specification } from '@portal/platform/testing/decider/specification'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { callerId } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'
import { type EnrollmentCommand, enrollmentDecider, maxEnrollments } from './decider.ts'
import type { EnrollmentEvent } from './events.ts'

const { given } = specification(enrollmentDecider)
const enrolledAt = '2026-11-21T10:00:00.000Z'

const enroll = (number: number): EnrollmentCommand => ({
  type: 'Enroll',
  userId: callerId,
  programId: programIdOf(number),
  programName: `Program ${number}`,
  enrolledAt,
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
      .when({ ...enroll(1), programName: 'Renamed', enrolledAt: '2026-11-22T10:00:00.000Z' })
      .thenNothing()
  })

  test('is limited in number, but a retry still succeeds', () => {
    const all = Array.from({ length: maxEnrollments }, (_, n) => enrolled(n + 1))
    given(all)
      .when(enroll(maxEnrollments + 1))
      .thenRejected('too-many')
    given(all).when(enroll(1)).thenNothing()
  })
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => enrollmentDecider.parse({ type: 'LearnerLeft', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => enrollmentDecider.parse({ type: 'LearnerEnrolled', data: { userId: callerId } })).toThrow(ZodError)
})

test('keeps the category in the name of every stream', () => {
  expect(enrollmentDecider.category).toBe('enrollment')
})
