import type { Refusal } from '@portal/platform/http/handler'
import { type EnrollmentRejection, maxEnrollments } from './decider.ts'

export const onlyLearnersEnroll: Refusal = { code: 'forbidden', message: 'Only learners can enroll in programs' }

export const refusalOf: Readonly<Record<EnrollmentRejection, Refusal>> = {
  'too-many': { code: 'conflict', message: `You can be enrolled in at most ${maxEnrollments} programs` },
}
