import { keepDiscontinuities } from '@portal/platform/discontinuity/discontinuities'
import { wordsOf } from '@portal/platform/discontinuity/discontinuity'
import type { ReadModel } from '@portal/platform/read-model/port'

/** In the words that health says, known also while no process runs. */
export const recordedDiscontinuities = async (control: ReadModel | undefined): Promise<readonly string[]> =>
  control === undefined ? [] : (await keepDiscontinuities(control).all()).map(wordsOf)
