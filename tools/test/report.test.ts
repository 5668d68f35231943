import { describe, expect, it } from 'vitest'
import { afterSecondRun, failureLine, failuresOf, lineOf, sum, tallyOf, unstableLine } from './report.ts'

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
    expect(failuresOf(report, '/portal').map(failureLine)).toEqual([
      'web/e2e/login.test.ts > a log-in ends: Error: expected 2 to be 3',
      'web/e2e/broken.test.ts: No such module',
    ])
    expect(failuresOf(undefined, '/portal')).toEqual([])
  })
})

describe('a second run of what failed', () => {
  const failure = (title: string, error = 'Error: too late\nExpected: 1') => ({
    file: 'web/e2e/login.test.ts',
    title,
    error,
  })
  const [slow, wrong, other] = [failure('is slow'), failure('is wrong'), failure('is another')]

  it('counts what passes then as passed, and names it', () => {
    expect(afterSecondRun({ passed: 10, failed: 2 }, [slow, wrong], [wrong])).toEqual({
      tally: { passed: 11, failed: 1 },
      failures: [wrong],
      unstable: [slow],
    })
    expect(unstableLine(slow)).toBe('web/e2e/login.test.ts > is slow: Error: too late')
  })
  it('counts what fails twice as failed', () => {
    expect(afterSecondRun({ passed: 10, failed: 1 }, [wrong], [wrong])).toEqual({
      tally: { passed: 10, failed: 1 },
      failures: [wrong],
      unstable: [],
    })
  })
  it('counts a test of the same file that only fails then as failed', () => {
    expect(afterSecondRun({ passed: 10, failed: 1 }, [slow], [other])).toEqual({
      tally: { passed: 10, failed: 1 },
      failures: [other],
      unstable: [slow],
    })
  })
  it('keeps a file that could not be loaded apart from its tests', () => {
    const unloaded = { ...slow, title: undefined }
    expect(afterSecondRun({ passed: 0, failed: 1 }, [unloaded], []).unstable).toEqual([unloaded])
    expect(afterSecondRun({ passed: 0, failed: 1 }, [unloaded], [slow])).toMatchObject({ failures: [slow] })
  })
})
