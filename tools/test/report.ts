/** What one vitest run came to. */
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

/** A file that could not even be loaded has no tests to fail, and must not pass for that. */
const isBroken = (file: unknown): boolean =>
  field(file, 'status') === 'failed' && list(file, 'assertionResults').length === 0

const brokenFiles = (report: unknown): number => list(report, 'testResults').filter(isBroken).length

/**
 * Counts a run by vitest's JSON report. A run that ended badly never counts as clean: with no report, or with errors
 * outside of any test, it is one failure.
 */
export const tallyOf = (report: unknown, exitCode: number | null): Tally => {
  const passed = count(report, 'numPassedTests')
  const failed = count(report, 'numFailedTests') + brokenFiles(report)
  return { passed, failed: failed === 0 && (exitCode !== 0 || report === undefined) ? 1 : failed }
}

/** The beginning of an error, without its stack: enough to know what went wrong from the end of a long output. */
const gist = (message: unknown): string =>
  text(message)
    .split(/\n\s+at /)[0]
    ?.trim()
    .slice(0, 600) ?? ''

/** Each failure of vitest's JSON report in a few words: its file, the test's whole name, and how the error begins. */
export const failuresOf = (report: unknown, folder: string): readonly string[] =>
  list(report, 'testResults').flatMap((file) => {
    const name = text(field(file, 'name')).replace(`${folder}/`, '')
    const tests = list(file, 'assertionResults')
    if (isBroken(file)) return [`${name}: ${gist(field(file, 'message'))}`]
    return tests
      .filter((test) => field(test, 'status') === 'failed')
      .map((test) => `${name} › ${text(field(test, 'fullName'))}: ${gist(list(test, 'failureMessages')[0])}`)
  })

export const lineOf = ({ passed, failed }: Tally): string => `${passed} passed, ${failed} failed`
