import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than half a minute, although some are short. */
const longFiles =
  /\/(accessibility-[^/]+|faults|faults-distributed|operations-distributed|audit|data-lost\.engine)\.test\.ts$/

const isLong = ({ moduleId }: TestSpecification): boolean => longFiles.test(moduleId)

/** Without recorded durations, vitest starts the largest files first. A long file must not come last and run alone. */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- The sequencer's own, which makes a new array.
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
