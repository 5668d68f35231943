import { type CatalogEvent, learnerInvitationsPartition } from '@portal/contracts/catalog/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { OutgoingMessage, Publisher } from '@portal/platform/bus/publisher'
import { enrollmentDecider } from './enrollment/decider.ts'
import type { EnrollmentEvent } from './enrollment/events.ts'
import { learnerInvitationDecider } from './learner-invitation/decider.ts'
import { programDecider } from './program/decider.ts'
import { programsPartition } from './program/projection.ts'
import { universityDecider } from './university/decider.ts'
import { universitiesPartition } from './university/projection.ts'

/**
 * Messages with the same key stay in order: one key for all universities, one for all programs, one for all
 * invitations, one per bucket of learners.
 */
const message = (key: string, { type, data }: CatalogEvent): OutgoingMessage => ({ topic: 'catalog', key, type, data })

export const universityPublisher: Publisher = {
  category: universityDecider.category,
  topics: ['catalog'],
  publish: (recorded) => [message(universitiesPartition, universityDecider.parse(recorded))],
}

/** Consumers receive the complete program, not the part that changed. */
export const programPublisher: Publisher = {
  category: programDecider.category,
  topics: ['catalog'],
  publish: (recorded) => {
    const event = programDecider.parse(recorded)
    if (event.type !== 'ProgramRemoved')
      return [message(programsPartition, { type: 'ProgramSaved', data: { program: event.data.program } })]
    const { programId, removedAt } = event.data
    return [message(programsPartition, { type: 'ProgramRemoved', data: { programId, removedAt } })]
  },
}

const changeOf = {
  PaymentsReverted: 'payments-reverted',
  SemesterChanged: 'semester-changed',
  EnrollmentReinstated: 'reinstated',
} as const

const enrollmentMessages = (event: EnrollmentEvent): readonly CatalogEvent[] => {
  const { userId } = event.data
  switch (event.type) {
    case 'LearnerEnrolled':
      return [event]
    case 'PaymentConfirmed': {
      const { enrollment, payment, notify } = event.data
      const { paymentId, amountPaise, reference } = payment
      const told = notify && { confirmedPayment: { paymentId, amountPaise } }
      const data = {
        userId,
        enrollment,
        change: 'payment-confirmed' as const,
        ...told,
        ...(reference && { reference }),
      }
      return [{ type: 'EnrollmentChanged', data }]
    }
    case 'PaymentsReverted':
    case 'SemesterChanged':
    case 'EnrollmentReinstated': {
      const { enrollment } = event.data
      const change = changeOf[event.type]
      const typed = event.type === 'PaymentsReverted' && { reason: event.data.reason }
      return [{ type: 'EnrollmentChanged', data: { userId, enrollment, change, ...typed } }]
    }
    case 'EnrollmentWithdrawn':
      return [{ type: 'EnrollmentEnded', data: { ...event.data, change: 'withdrawn' } }]
    case 'EnrollmentMoved': {
      const { fromProgramId: programId, enrollment } = event.data
      return [
        { type: 'EnrollmentEnded', data: { userId, programId, change: 'moved' } },
        { type: 'LearnerEnrolled', data: { userId, ...enrollment, movedFrom: programId } },
      ]
    }
  }
}

/** Consumers receive the complete enrollment, not the part that changed. */
export const enrollmentPublisher: Publisher = {
  category: enrollmentDecider.category,
  topics: ['catalog'],
  publish: (recorded) => {
    const event = enrollmentDecider.parse(recorded)
    return enrollmentMessages(event).map((one) => message(bucketKey(event.data.userId), one))
  },
}

/** The reactor enrolls who has registered, and auth mails who is invited. */
export const learnerInvitationPublisher: Publisher = {
  category: learnerInvitationDecider.category,
  topics: ['catalog'],
  publish: (recorded) => [message(learnerInvitationsPartition, learnerInvitationDecider.parse(recorded))],
}
