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

/** A file that could not even be loaded has no tests to fail, and must not pass for that. */
const brokenFiles = (report: unknown): number => {
  const files = field(report, 'testResults')
  if (!Array.isArray(files)) return 0
  return files.filter((file: unknown) => {
    const tests = field(file, 'assertionResults')
    return field(file, 'status') === 'failed' && Array.isArray(tests) && tests.length === 0
  }).length
}

/**
 * Counts a run by vitest's JSON report. A run that ended badly never counts as clean: with no report, or with errors
 * outside of any test, it is one failure.
 */
export const tallyOf = (report: unknown, exitCode: number | null): Tally => {
  const passed = count(report, 'numPassedTests')
  const failed = count(report, 'numFailedTests') + brokenFiles(report)
  return { passed, failed: failed === 0 && (exitCode !== 0 || report === undefined) ? 1 : failed }
}

export const lineOf = ({ passed, failed }: Tally): string => `${passed} passed, ${failed} failed`
