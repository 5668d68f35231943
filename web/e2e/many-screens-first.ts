import { BaseSequencer, type TestSpecification } from 'vitest/node'

const showsEveryScreen = ({ moduleId }: TestSpecification): boolean => /\/accessibility-[^/]+$/.test(moduleId)

/**
 * Where it knows no durations, vitest starts the largest files first, so that a long one does not come last and alone. The
 * longest of the journeys' are small.
 */
export class ManyScreensFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- The sequencer's own, which makes a new array.
    const sorted = await super.sort(files)
    return [...sorted.filter(showsEveryScreen), ...sorted.filter((file) => !showsEveryScreen(file))]
  }
}
