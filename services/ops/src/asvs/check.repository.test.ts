import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../repository-root.ts'
import { checkAsvsRows, parseAsvs } from './check.ts'
import { asvsRequirements } from './requirements.ts'

describe('an ASVS row', () => {
  const problemsOf = (row: string) =>
    checkAsvsRows(parseAsvs(row), (path) => path === 'a/b.test.ts').filter((problem) => !problem.endsWith(' rows'))

  it('is accepted with what shows its verdict', () => {
    const rows = [
      '- 6.2.1: In `SETTING`: `a/b.test.ts`',
      '| There is no GraphQL. | 4.3.1, 4.3.2 |',
      '| 6.2.5 | 1 | No composition rules | specification: it has such rules. |',
    ]
    expect(parseAsvs(rows.join('\n')).map(({ id }) => id)).toEqual(['6.2.1', '4.3.1', '4.3.2', '6.2.5'])
    expect(rows.flatMap(problemsOf)).toEqual([])
  })

  it('is rejected with another level, an unknown reason, or nothing that shows it', () => {
    const rows = [
      ['- 6.2.99: `a/b.test.ts`', '6.2.99 is not a requirement of level 1 or 2'],
      ['- 6.2.1: seen by hand', '6.2.1 names nothing that shows it'],
      ['- 6.2.1: `a/none.ts`', '6.2.1 a/none.ts does not exist'],
      ['| 6.2.5 | 2 | x | specification: it has such rules. |', '6.2.5 is of level 1'],
      ['| 6.2.9 | 2 | x | later |', '6.2.9 does not say what keeps it open'],
      [
        '| 6.2.1 | 1 | x | no issue yet: later |',
        '6.2.1 is open at level 1 though the specification does not demand it',
      ],
    ] as const
    expect(rows.map(([row]) => problemsOf(row))).toEqual(rows.map(([, problem]) => [problem]))
  })
})

it('docs/asvs.md has a row for each requirement of levels 1 and 2, files that exist, and at most 12 open at level 2', () => {
  const rows = parseAsvs(readFileSync(join(repositoryRoot, 'docs/asvs.md'), 'utf8'))
  expect(asvsRequirements.size).toBe(253)
  expect([...asvsRequirements.values()].filter((level) => level === 1)).toHaveLength(70)
  expect(checkAsvsRows(rows, (path) => existsSync(join(repositoryRoot, path)))).toEqual([])
  expect(rows.filter(({ verdict, level }) => verdict === 'open' && level === 2).length).toBeLessThanOrEqual(12)
})
