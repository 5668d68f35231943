import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import { enrollmentsProjection } from './enrollment/projection.ts'
import { programsProjection } from './program/projection.ts'
import { enrollmentPublisher, programPublisher, universityPublisher } from './publish.ts'
import { universitiesProjection } from './university/projection.ts'

/** What turns the log into read models: all that a replay needs of this context. */
export const catalogPublishers: readonly Publisher[] = [universityPublisher, programPublisher, enrollmentPublisher]
export const catalogProjections: readonly Projection[] = [
  universitiesProjection,
  programsProjection,
  enrollmentsProjection,
]
