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

const brokenFiles = (report: unknown): number => list(report, 'testResults').filter(isBroken).length

/**
 * Counts the results in the JSON report of vitest. A missing report, or an error outside of the tests, counts as one
 * failure.
 */
export const tallyOf = (report: unknown, exitCode: number | null): Tally => {
  const passed = count(report, 'numPassedTests')
  const failed = count(report, 'numFailedTests') + brokenFiles(report)
  return { passed, failed: failed === 0 && (exitCode !== 0 || report === undefined) ? 1 : failed }
}

/** The start of an error message without its stack. */
const summaryOf = (message: unknown): string =>
  text(message)
    .split(/\n\s+at /)[0]
    ?.trim()
    .slice(0, 600) ?? ''

/** One line per failure in the JSON report of vitest: file, full test name, start of the error. */
export const failuresOf = (report: unknown, folder: string): readonly string[] =>
  list(report, 'testResults').flatMap((file) => {
    const name = text(field(file, 'name')).replace(`${folder}/`, '')
    const tests = list(file, 'assertionResults')
    if (isBroken(file)) return [`${name}: ${summaryOf(field(file, 'message'))}`]
    return tests
      .filter((test) => field(test, 'status') === 'failed')
      .map((test) => `${name} › ${text(field(test, 'fullName'))}: ${summaryOf(list(test, 'failureMessages')[0])}`)
  })

export const lineOf = ({ passed, failed }: Tally): string => `${passed} passed, ${failed} failed`
