import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import { enrollmentsProjection } from './enrollment/projection.ts'
import { learnerInvitationsProjection } from './learner-invitation/projection.ts'
import { programsProjection } from './program/projection.ts'
import { enrollmentPublisher, learnerInvitationPublisher, programPublisher, universityPublisher } from './publish.ts'
import { universitiesProjection } from './university/projection.ts'

/**
 * Translates recorded events into messages. Together with the projections it is all that a replay needs of this
 * context.
 */
export const catalogPublishers: readonly Publisher[] = [
  universityPublisher,
  programPublisher,
  enrollmentPublisher,
  learnerInvitationPublisher,
]
export const catalogProjections: readonly Projection[] = [
  universitiesProjection,
  programsProjection,
  enrollmentsProjection,
  learnerInvitationsProjection,
]
