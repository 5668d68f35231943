import type { Publisher } from '@portal/platform/bus/publisher'
import type { Projection } from '@portal/platform/projection/projection'
import { enrollmentsProjection } from './enrollment/projection.ts'
import { enrollmentPublisher } from './enrollment/publish.ts'
import { programsProjection } from './program/projection.ts'
import { programPublisher } from './program/publish.ts'
import { universitiesProjection } from './university/projection.ts'
import { universityPublisher } from './university/publish.ts'

/** What turns the log into read models: all that a replay needs of this context. */
export const catalogPublishers: readonly Publisher[] = [universityPublisher, programPublisher, enrollmentPublisher]
export const catalogProjections: readonly Projection[] = [
  universitiesProjection,
  programsProjection,
  enrollmentsProjection,
]
