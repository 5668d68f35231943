import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  checkPromises,
  parsePromises,
  promiseTable,
  quotedTexts,
  readSources,
  type SourceFile,
  unmentioned,
} from './promises.ts'

const files: readonly SourceFile[] = [
  { path: 'web/src/a.tsx', text: "<p>You aren\\'t enrolled</p> `Pay ₹${fee} & Register Now`" },
  { path: 'web/src/testing/portal.ts', text: 'Somebody' },
  {
    path: 'web/src/a.test.tsx',
    text: `
    describe('[P-4] the page', () => {
      it.each([["You aren't enrolled"]])('[P-1 P-2] says that %s', () => getByText("Pay ₹1000 & Register Now"))
      it('says that nobody is enrolled', () => getByText('Nobody'))
      it.skip('[P-5] does what it should', () => {})
    })`,
  },
  { path: 'web/src/b.test.tsx', text: "it('[P-3] says that nobody is enrolled', () => {}) // Somebody" },
]
const all = ['P-1: “You aren’t enrolled”', 'P-2: “Pay ₹{fee} & Register Now”', 'P-3: a thing', 'P-4: a page']
const problemsOf = (...lines: readonly string[]) =>
  checkPromises(parsePromises(lines.map((line) => `- ${line}`).join('\n')), files)

describe('the promises of the product', () => {
  it('are valid if each has a test and each text is in the sources and in a test', () => {
    expect(problemsOf(...all)).toEqual([])
  })

  it('are invalid without a test, or with a text that is in no source or in none of its tests', () => {
    const cases = [
      ['P-6: a thing without a test', 'P-6 has no test'],
      ['P-5: a thing whose test is skipped', 'P-5 has no test'],
      ['P-1: “Paid”', 'P-1: “Paid” is in no source'],
      ['P-1: “Paid”', 'P-1: “Paid” is in none of its tests'],
      ['P-3: “You aren’t enrolled”', 'P-3: “You aren’t enrolled” is in none of its tests'],
      ['P-3: “Somebody”', 'P-3: “Somebody” is in no source'],
      ['P-2: another thing', 'P-2 is the id of two promises'],
    ] as const
    expect(cases.filter(([line, problem]) => !problemsOf(...all, line).includes(problem))).toEqual([])
  })

  it('are invalid if a title has an unknown id', () => {
    expect(problemsOf(...all.slice(1))).toEqual(['web/src/a.test.tsx › says that %s: P-1 is not in web/promises.md'])
  })

  it('are listed with their tests', () => {
    expect(promiseTable(parsePromises('- P-1: a thing'), files)).toEqual([
      'P-1  a thing',
      '      web/src/a.test.tsx › says that %s',
    ])
  })

  it('mention every quoted text of a specification as a whole', () => {
    const texts = quotedTexts("shows 'Paid' or \"Passwords don't match!\"; '... one digit'; the field's own")
    expect(texts).toEqual(['Paid', "Passwords don't match!", '... one digit'])
    const what = "“Paid in full”, “must contain one digit”, “{Fee} is required”, 'mark all', “None Found” / “Add one.”"
    const promises = parsePromises(`- P-1: ${what}`)
    expect(unmentioned(['... one digit', 'Fee is required', 'mark all', 'None Found / Add one.'], promises)).toEqual([])
    expect(unmentioned(['Paid', '... two digits', 'None Found / Add two.'], promises)).toHaveLength(3)
  })
})

describe('web/promises.md', () => {
  const root = fileURLToPath(new URL('../../../..', import.meta.url))
  const promises = parsePromises(readFileSync(new URL('../../../../web/promises.md', import.meta.url), 'utf8'))

  it('has a test for each promise, and each of its texts in the sources and in the tests', () => {
    expect(promises.length).toBeGreaterThan(380)
    expect(checkPromises(promises, readSources(root))).toEqual([])
  })
})
