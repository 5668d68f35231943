import { inMemoryContinuity } from '../../src/discontinuity/continuity.ts'
import { singleGeneration } from '../../src/generations/active-generation.ts'
import type { ReadModels } from '../../src/generations/read-models.ts'
import type { ReadModel } from '../../src/read-model/port.ts'

/** One namespace for all projections, without replays. */
export const readModelsOn = (readModel: ReadModel): ReadModels => {
  const active = singleGeneration(readModel)
  return {
    of: () => active,
    isBuilt: () => true,
    control: active,
    continuity: inMemoryContinuity({ error: () => undefined }),
    check: active.check,
    checkBuilt: active.check,
    close: () => readModel.close(),
  }
}
