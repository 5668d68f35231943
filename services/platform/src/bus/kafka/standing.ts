/** After so many failures in a row something counts as standing still. */
const failuresTolerated = 5

/** What a consumer has trouble with, by the name of each thing. */
export type Standing = {
  /** Another failure in a row; how many there are. */
  failed(what: string, error: unknown): number
  /** It stands still, whatever was before. */
  stuck(what: string, error: unknown): void
  well(what: string): void
  allWell(): void
  /** Throws while something stands still. */
  check(): void
}

export const createStanding = (consumer: string): Standing => {
  const troubles = new Map<string, { readonly failures: number; readonly error: unknown }>()

  const note = (what: string, failures: number, error: unknown): number => {
    troubles.set(what, { failures, error })
    return failures
  }

  return {
    failed: (what, error) => note(what, (troubles.get(what)?.failures ?? 0) + 1, error),
    stuck: (what, error) => void note(what, Number.POSITIVE_INFINITY, error),
    well: (what) => void troubles.delete(what),
    allWell: () => troubles.clear(),
    check() {
      for (const [what, { failures, error }] of troubles) {
        if (failures < failuresTolerated) continue
        const often = Number.isFinite(failures) ? ` after ${failures} attempts` : ''
        throw new Error(`Consumer ${consumer} stands still${often} (${what})`, { cause: error })
      }
    },
  }
}
