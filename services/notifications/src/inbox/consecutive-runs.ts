import type { Entry } from '@portal/platform/read-model/port'

/** Groups entries, newest first, whose arrivals follow one another. */
export const consecutiveRuns = (entries: readonly Entry[]): readonly (readonly Entry[])[] => {
  const runs: Entry[][] = []
  for (const entry of entries) {
    const run = runs.at(-1)
    if (run?.at(-1)?.score === entry.score + 1) run.push(entry)
    else runs.push([entry])
  }
  return runs
}
