import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that run longer than half a minute, although some are small. */
const longFiles =
  /\/(accessibility-[^/]+|campaign-distributed|faults-distributed|operations-distributed|backup-drill|older-event-store|audit|data-lost\.engine)\.test\.ts$/

const isLong = ({ moduleId }: TestSpecification): boolean => longFiles.test(moduleId)

/**
 * Runs the long files first. Without recorded durations vitest starts with the largest files, and a long one could run
 * alone at the end.
 */
export class LongestFirstSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- The sequencer's own, which makes a new array.
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
