import { BaseSequencer, type TestSpecification } from 'vitest/node'

const showsEveryScreen = ({ moduleId }: TestSpecification): boolean => /\/accessibility-[^/]+$/.test(moduleId)

/**
 * Where it knows no durations, vitest starts the largest files first, so that a long one does not come last and alone. The
 * longest of the journeys' are small.
 */
export class ManyScreensFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(showsEveryScreen), ...sorted.filter((file) => !showsEveryScreen(file))]
  }
}
