import { onlyLearnersEnroll } from '@portal/contracts/catalog/enrollment'
import type { Refusal } from '@portal/platform/http/handler'
import { type EnrollmentRejection, maxEnrollments } from './decider.ts'

export const notALearner: Refusal = { code: 'forbidden', message: onlyLearnersEnroll }

export const refusalOf: Readonly<Record<EnrollmentRejection, Refusal>> = {
  'too-many': { code: 'conflict', message: `You can be enrolled in at most ${maxEnrollments} programs` },
}
