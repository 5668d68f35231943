import { enrollmentsProjectionName, programsProjectionName } from '@portal/contracts/catalog/progress'
import type { ReadModels } from '@portal/platform/read-model/read-models'
import type { Applied, Progress } from './ports.ts'

type Named = { readonly name: string }

/** Those whose progress is asked; the process must have opened their read models. */
export const awaitedProjections = (inbox: Named): readonly string[] => [
  inbox.name,
  programsProjectionName,
  enrollmentsProjectionName,
]

/** The progress that the read models keep. The inbox projection is its process's to name: a service never imports another. */
export const progressIn = (readModels: Pick<ReadModels, 'of'>, inbox: Named): Progress => {
  const appliedBy = ({ name }: Named): Applied => {
    const readModel = readModels.of({ name })
    return (partition, position, timeoutMs) => readModel.whenApplied(name, partition, position, timeoutMs)
  }
  return {
    inboxApplied: appliedBy(inbox),
    programsApplied: appliedBy({ name: programsProjectionName }),
    enrollmentsApplied: appliedBy({ name: enrollmentsProjectionName }),
  }
}
