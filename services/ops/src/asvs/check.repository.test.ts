import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkAsvsRows, countVerdicts, parseAsvs, type ReadSource, statedCounts } from './check.ts'
import { asvsRequirements } from './requirements.ts'

describe('an ASVS row', () => {
  const sources: Readonly<Record<string, string>> = { 'a/b.test.ts': "it('keeps its promise', () => {})", 'a/c.ts': '' }
  const problemsOf = (row: string) =>
    checkAsvsRows(parseAsvs(row), (path) => sources[path]).filter((problem) => problem.startsWith('line 1'))

  it('is accepted with what shows its verdict', () => {
    const rows = [
      '| 6.2.1 | 1 | At least 8 characters | pass | `a/b.test.ts` › keeps its promise; `a/c.ts` |',
      '| 4.3.1 | 2 | GraphQL queries are bounded | n/a | There is no GraphQL. |',
      '| 6.2.5 | 1 | No composition rules | open | specification: it has such rules. |',
    ]
    expect(rows.flatMap(problemsOf)).toEqual([])
  })

  it('is rejected with another level, an unknown verdict, or nothing that shows it', () => {
    const rows = [
      ['| 6.2.99 | 1 | x | pass | `a/c.ts` |', '6.2.99 is not a requirement of level 1 or 2'],
      ['| 6.2.1 | 2 | x | pass | `a/c.ts` |', '6.2.1 is of level 1'],
      ['| 6.2.1 | 1 | x | pass | seen by hand |', '6.2.1 names nothing that shows it'],
      ['| 6.2.1 | 1 | x | pass | `a/none.ts` |', '6.2.1 a/none.ts does not exist'],
      ['| 6.2.1 | 1 | x | pass | `a/b.test.ts` › breaks it |', '6.2.1 a/b.test.ts has no test “breaks it”'],
      ['| 6.2.1 | 1 | x | partly | `a/c.ts` |', '6.2.1 has no verdict, but “partly”'],
      ['| 6.2.9 | 2 | x | open | later |', '6.2.9 does not say what keeps it open'],
      [
        '| 6.2.1 | 1 | x | open | people issue: later |',
        '6.2.1 is open at level 1 though the specification does not demand it',
      ],
    ] as const
    expect(rows.map(([row]) => problemsOf(row))).toEqual(rows.map(([, problem]) => [`line 1: ${problem}`]))
  })
})

describe('docs/asvs.md', () => {
  const read: ReadSource = (path) => {
    const file = new URL(`../../../../${path}`, import.meta.url)
    return existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined
  }
  const markdown = read('docs/asvs.md') ?? ''
  const rows = parseAsvs(markdown)

  it('has a row for each requirement of levels 1 and 2, with a file or test that exists', () => {
    expect(asvsRequirements.size).toBe(253)
    expect([...asvsRequirements.values()].filter((level) => level === 1)).toHaveLength(70)
    expect(checkAsvsRows(rows, read)).toEqual([])
  })

  it('states the counts of its rows, with at most 12 open at level 2', () => {
    expect(statedCounts(markdown)).toEqual(countVerdicts(rows))
    expect(countVerdicts(rows)['open']?.[1]).toBeLessThanOrEqual(12)
  })
})
