/** Result of one vitest run. */
export type Tally = { readonly passed: number; readonly failed: number }

export const noTests: Tally = { passed: 0, failed: 0 }

export const sum = (a: Tally, b: Tally): Tally => ({ passed: a.passed + b.passed, failed: a.failed + b.failed })

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const count = (value: unknown, name: string): number => {
  const found = field(value, name)
  return typeof found === 'number' ? found : 0
}

const list = (value: unknown, name: string): readonly unknown[] => {
  const found = field(value, name)
  return Array.isArray(found) ? found : []
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A file that failed to load has no tests, and must count as a failure. */
const isBroken = (file: unknown): boolean =>
  field(file, 'status') === 'failed' && list(file, 'assertionResults').length === 0

/** The start of an error message without its stack. */
const summaryOf = (message: unknown): string =>
  text(message)
    .split(/\n\s+at /)[0]
    ?.trim()
    .slice(0, 600) ?? ''

/** A failed test, or a file that could not be loaded: then `title` is undefined. */
export type Failure = { readonly file: string; readonly title: string | undefined; readonly error: string }

/** `file` is relative to `folder`. */
export const failuresOf = (report: unknown, folder: string): readonly Failure[] =>
  list(report, 'testResults').flatMap((result): Failure[] => {
    const file = text(field(result, 'name')).replace(`${folder}/`, '')
    if (isBroken(result)) return [{ file, title: undefined, error: summaryOf(field(result, 'message')) }]
    return list(result, 'assertionResults')
      .filter((test) => field(test, 'status') === 'failed')
      .map((test) => ({
        file,
        title: text(field(test, 'fullName')),
        error: summaryOf(list(test, 'failureMessages')[0]),
      }))
  })

/**
 * Counts the results in the JSON report of vitest. A missing report, or an error outside of the tests, counts as one
 * failure.
 */
export const tallyOf = (report: unknown, exitCode: number | null): Tally => {
  const passed = count(report, 'numPassedTests')
  const failed = count(report, 'numFailedTests') + list(report, 'testResults').filter(isBroken).length
  return { passed, failed: failed === 0 && (exitCode !== 0 || report === undefined) ? 1 : failed }
}

const sameTest = (a: Failure, b: Failure): boolean => a.file === b.file && a.title === b.title

type SecondRun = {
  readonly tally: Tally
  /** Failed in both runs, and those that only the second run failed. */
  readonly failures: readonly Failure[]
  /** Failed in the first run and not in the second. */
  readonly unstable: readonly Failure[]
}

/**
 * The verdict after the files of `failed` ran once more. `again` has what failed then. What passed in the second run counts as
 * passed and is named; a second failure is a failure. So is a test that only failed in the second run: it passed and failed
 * on the same commit.
 */
export const afterSecondRun = (first: Tally, failed: readonly Failure[], again: readonly Failure[]): SecondRun => {
  const unstable = failed.filter((failure) => !again.some((other) => sameTest(failure, other)))
  const added = again.filter((failure) => !failed.some((other) => sameTest(failure, other)))
  return {
    tally: { passed: first.passed + unstable.length - added.length, failed: again.length },
    failures: again,
    unstable,
  }
}

/** One line per failure: file, full test name, start of the error. */
export const failureLine = ({ file, title, error }: Failure): string =>
  title === undefined ? `${file}: ${error}` : `${file} > ${title}: ${error}`

/** The last lines of a run list each on one line, with the first line of its error. */
export const unstableLine = ({ file, title, error }: Failure): string =>
  failureLine({ file, title, error: error.split('\n')[0] ?? '' })

/** The files with the longest durations, in seconds. */
export const slowestFiles = (report: unknown, folder: string): readonly { file: string; seconds: number }[] =>
  list(report, 'testResults').map((result) => ({
    file: text(field(result, 'name')).replace(`${folder}/`, ''),
    seconds: (count(result, 'endTime') - count(result, 'startTime')) / 1000,
  }))

export const lineOf = ({ passed, failed }: Tally): string => `${passed} passed, ${failed} failed`
