import { describe, expect, it } from 'vitest'
import { failuresOf, lineOf, sum, tallyOf } from './report.ts'

const file = (status: 'passed' | 'failed', tests: number) => ({
  status,
  assertionResults: Array.from({ length: tests }, () => ({ status })),
})

describe('the count of a test run', () => {
  it('equals the numbers of the report', () => {
    const report = { numPassedTests: 12, numFailedTests: 2, testResults: [file('passed', 12), file('failed', 2)] }
    expect(tallyOf(report, 1)).toEqual({ passed: 12, failed: 2 })
    expect(tallyOf({ ...report, numFailedTests: 0, testResults: [file('passed', 12)] }, 0)).toEqual({
      passed: 12,
      failed: 0,
    })
  })
  it('counts a file that could not be loaded as a failure', () => {
    const report = { numPassedTests: 3, numFailedTests: 1, testResults: [file('failed', 1), file('failed', 0)] }
    expect(tallyOf(report, 1)).toEqual({ passed: 3, failed: 2 })
  })
  it('is never clean when the run ended badly', () => {
    expect(tallyOf({ numPassedTests: 3, numFailedTests: 0, testResults: [] }, 1)).toEqual({ passed: 3, failed: 1 })
    expect(tallyOf(undefined, 0)).toEqual({ passed: 0, failed: 1 })
    expect(tallyOf(undefined, null)).toEqual({ passed: 0, failed: 1 })
  })
  it('is summed and printed as one line', () => {
    expect(lineOf(sum({ passed: 1, failed: 2 }, { passed: 3, failed: 0 }))).toBe('4 passed, 2 failed')
  })
  it('repeats each failure briefly, without its stack', () => {
    const report = {
      testResults: [
        {
          name: '/portal/web/e2e/login.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'a log-in works', failureMessages: [] },
            {
              status: 'failed',
              fullName: 'a log-in ends',
              failureMessages: ['Error: expected 2 to be 3\n    at /portal/x.ts:3', 'another'],
            },
          ],
        },
        { name: '/portal/web/e2e/broken.test.ts', status: 'failed', message: 'No such module', assertionResults: [] },
      ],
    }
    expect(failuresOf(report, '/portal')).toEqual([
      'web/e2e/login.test.ts › a log-in ends: Error: expected 2 to be 3',
      'web/e2e/broken.test.ts: No such module',
    ])
    expect(failuresOf(undefined, '/portal')).toEqual([])
  })
})
