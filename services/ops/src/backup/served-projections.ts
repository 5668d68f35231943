import type { ServedProjection } from '@portal/platform/backup/make-backup'
import { createDiscontinuityStore, projectionConsumer, wholeLog } from '@portal/platform/discontinuity/discontinuity'
import { projectionKey } from '@portal/platform/read-model/projection-key'
import { isDataLoss } from '@portal/platform/read-model/errors'
import type { ReadModel } from '@portal/platform/read-model/port'
import { projections } from '../settings/consumers.ts'
import type { ServingReadModels } from '../settings/serving-read-models.ts'

const incompleteIn = async (control: ReadModel | undefined): Promise<(key: string) => boolean> => {
  if (control === undefined) return () => true
  const consumers = new Set((await createDiscontinuityStore(control).all()).map(({ consumer }) => consumer))
  return (key) => consumers.has(wholeLog) || consumers.has(projectionConsumer(key))
}

const isReadable = async (readModel: ReadModel): Promise<boolean> => {
  try {
    await readModel.check()
    return true
  } catch (error) {
    if (isDataLoss(error)) return false
    throw error
  }
}

/** The complete read models. A rebuild from the log must produce equal ones. */
export const completeProjections = async (readModels: ServingReadModels): Promise<readonly ServedProjection[]> => {
  const isIncomplete = await incompleteIn(readModels.control)
  const served: ServedProjection[] = []
  for (const projection of projections) {
    const { name, version = 1 } = projection
    if (isIncomplete(projectionKey(projection))) continue
    const serving = await readModels.of(projection)
    if (serving === undefined || !(await isReadable(serving.readModel))) continue
    served.push({ projection: name, version, ...serving })
  }
  return served
}
