import { onlyLearnersEnroll } from '@portal/contracts/catalog/enrollment'
import type { ApiError } from '@portal/platform/http/handler'
import { type EnrollmentRejection, maxEnrollments } from './decider.ts'

export const notALearner: ApiError = { code: 'forbidden', message: onlyLearnersEnroll }

export const apiErrorOf: Readonly<Record<EnrollmentRejection, ApiError>> = {
  'too-many': { code: 'conflict', message: `You can be enrolled in at most ${maxEnrollments} programs` },
}
