import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkRows, quotedTexts, unmentioned } from './check.ts'
import { readFrom } from './read-from.ts'
import { parseCoverage } from './table.ts'

const sources: Readonly<Record<string, string>> = {
  'a.tsx': "<p>You aren\\'t enrolled</p> `Pay ₹${fee} & Register Now`",
  'a.test.tsx': `
    describe('the page', () => {
      it.each([["You aren't enrolled"]])('says that %s', () => getByText("Pay ₹1000 & Register Now"))
      it('says that nobody is enrolled', () => getByText('Nobody'))
    })`,
  'b.test.tsx': "it('says that nobody is enrolled', () => {}) // somebody",
}
const read = (path: string) => sources[path]
const problemsOf = (row: string) =>
  checkRows(parseCoverage(`| What | File | Test |\n| --- | --- | --- |\n${row}`), read)

describe('the table of what the product promises', () => {
  it('holds where file, text and test are there', () => {
    const row = '| “You aren’t enrolled”, “Pay ₹{fee} & Register Now” | `a.tsx` | `a.test.tsx` › nobody is enrolled |'
    expect(problemsOf(row)).toEqual([])
  })

  it('takes a title behind that of its group, and one that is made for each of several', () => {
    expect(
      problemsOf('| What happens | `a.tsx` | `a.test.tsx` › the page › nobody; `a.test.tsx` › says that %s |'),
    ).toEqual([])
    expect(problemsOf('| What happens | `a.tsx` | `a.test.tsx` › nothing |')).toHaveLength(1)
  })

  it.each([
    ['| a thing | `b.tsx` | `a.test.tsx` › nobody |', 'line 3: b.tsx does not exist'],
    ['| “Nobody” | `a.tsx` | `a.test.tsx` › nobody |', 'line 3: “Nobody” is in none of its files'],
    ['| “You aren’t” | `a.tsx` | `b.test.tsx` › nobody |', 'line 3: “You aren’t” is in none of its tests'],
    ['| a thing | `a.tsx` | `b.test.tsx` › somebody |', 'line 3: b.test.tsx has no test “somebody”'],
    ['| a thing | `a.tsx` | `a.test.tsx` › the form › nobody |', 'line 3: a.test.tsx has no test “the form › nobody”'],
    ['| a thing | `a.tsx` | `a.test.tsx` |', 'line 3: a.test.tsx is named without the title of a test'],
    ['| a thing | `a.tsx` |  |', 'line 3: names no test'],
    ['| a thing |  | `a.test.tsx` › nobody |', 'line 3: names no file'],
  ])('does not hold: %s', (row, problem) => {
    expect(problemsOf(row)).toEqual([problem])
  })

  it('finds what a specification quotes', () => {
    const texts = quotedTexts("shows 'Paid' or \"Passwords don't match!\"; '... one digit'; the field's own")
    expect(texts).toEqual(['Paid', "Passwords don't match!", '... one digit'])
  })

  it('speaks of every text that a specification quotes, as a whole', () => {
    const what = "“Paid in full”, “must contain one digit”, “{Fee} is required”, 'mark all', “None Found” / “Add one.”"
    const rows = parseCoverage(`| ${what} | a.tsx | a.test.tsx › nobody |`)
    expect(unmentioned(['... one digit', 'Fee is required', 'mark all', 'None Found / Add one.'], rows)).toEqual([])
    expect(unmentioned(['Paid', '... two digits', 'None Found / Add two.'], rows)).toHaveLength(3)
  })
})

describe('web/COVERAGE.md', () => {
  const readHere = readFrom(fileURLToPath(new URL('../../../..', import.meta.url)))
  const rows = parseCoverage(readHere('web/COVERAGE.md') ?? '')

  it('names a file that holds each text and a test that shows it, row by row', () => {
    expect(rows.length).toBeGreaterThan(300)
    expect(checkRows(rows, readHere)).toEqual([])
  })
})
