import { enrollmentsProjectionRef, programsProjectionRef } from '@portal/contracts/catalog/progress'
import type { Cursor, Cursors } from '@portal/platform/bus/port'
import type { Projection } from '@portal/platform/projection/projection'
import type { ProjectionRef } from '@portal/platform/read-model/projection-key'
import { projectionGroup } from '@portal/platform/generations/run-projection'
import type { ReadModels } from '@portal/platform/generations/read-models'
import type { Applied, InboxProgress, Progress } from './ports.ts'

/** Those whose progress is asked; the process must have opened their read models. */
export const awaitedProjections = (inbox: ProjectionRef): readonly ProjectionRef[] => [
  inbox,
  programsProjectionRef,
  enrollmentsProjectionRef,
]

// Only the bus reads cursors, and it made what is saved.
const asCursors = (saved: Readonly<Record<string, string>>): Cursors => saved as Readonly<Record<string, Cursor>>

const inboxProgressIn = (
  readModels: Pick<ReadModels, 'of'>,
  inbox: ProjectionRef & Pick<Projection, 'topics'>,
): InboxProgress => {
  const readModel = readModels.of(inbox)
  return {
    topics: inbox.topics,
    cursors: async () => asCursors(await readModel.loadCursors(projectionGroup(inbox), 'observer')),
    positions: () => readModel.positions(inbox.name),
  }
}

/** The progress that the read models keep. The inbox projection is its process's to name: a service never imports another. */
export const progressIn = (
  readModels: Pick<ReadModels, 'of'>,
  inbox: ProjectionRef & Pick<Projection, 'topics'>,
): Progress => {
  const appliedBy = (projection: ProjectionRef): Applied => {
    const { name } = projection
    const readModel = readModels.of(projection)
    return (partition, position, timeoutMs) => readModel.whenApplied(name, partition, position, timeoutMs)
  }
  return {
    inboxApplied: appliedBy(inbox),
    inboxProgress: inboxProgressIn(readModels, inbox),
    programsApplied: appliedBy(programsProjectionRef),
    enrollmentsApplied: appliedBy(enrollmentsProjectionRef),
  }
}
