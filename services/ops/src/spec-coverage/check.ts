import type { CoverageRow } from './table.ts'

/** The contents of a file by its path from the root, or undefined where there is none. */
export type ReadSource = (path: string) => string | undefined

/** Source text as a reader sees it: without escapes (of regular expressions, too) and entities, in single spaces. */
const plain = (text: string): string =>
  text
    .replaceAll(/\\(['"`.?()])/g, '$1')
    .replaceAll(/&apos;|&#39;|’|‘/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\{'\s*'\}/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** The fixed parts of a text: `Pay ₹{fee} & Register Now` has two. */
const fixedParts = (text: string): readonly string[] =>
  text
    .split(/\{[^}]*\}/)
    .map((part) => plain(part).trim())
    .filter((part) => part !== '')

/** Of the texts, those that none of the files holds. */
const missingTexts = (texts: readonly string[], files: readonly string[], read: ReadSource): readonly string[] => {
  const sources = plain(files.map((file) => read(file) ?? '').join('\n'))
  return texts.filter((text) => !fixedParts(text).every((part) => sources.includes(part)))
}

/** The titles of tests and of the groups that they are in: `it('...', `, and `it.each([...])('...', `. */
const titlesIn = (source: string): readonly string[] =>
  [...source.matchAll(/(?:\b(?:it|test|describe)|\))\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1,/g)].map(([, , title = '']) =>
    plain(title),
  )

/** A title may stand behind that of its group: `logging in › takes the address in any case`. */
export const hasTitle = (source: string, title: string): boolean => {
  const titles = titlesIn(source)
  return title.split('›').every((part) => titles.some((one) => one.includes(plain(part).trim())))
}

const testFiles = ({ tests }: CoverageRow): readonly string[] => tests.map(({ file }) => file)

/** What is wrong with one row, in words. */
const problemsOf = (row: CoverageRow, read: ReadSource): readonly string[] => [
  ...(row.files.length === 0 ? ['names no file'] : []),
  ...(row.tests.length === 0 ? ['names no test'] : []),
  ...row.files.filter((file) => read(file) === undefined).map((file) => `${file} does not exist`),
  ...row.tests.flatMap(({ file, title }) => {
    const source = read(file)
    if (source === undefined) return [`${file} does not exist`]
    if (title === '') return [`${file} is named without the title of a test`]
    return hasTitle(source, title) ? [] : [`${file} has no test “${title}”`]
  }),
  ...missingTexts(row.texts, row.files, read).map((text) => `“${text}” is in none of its files`),
  ...missingTexts(row.texts, testFiles(row), read).map((text) => `“${text}” is in none of its tests`),
]

export const checkRows = (rows: readonly CoverageRow[], read: ReadSource): readonly string[] =>
  rows.flatMap((row) => problemsOf(row, read).map((problem) => `line ${row.line}: ${problem}`))

/** What stands in quotes in a specification: texts of the product, and some values and formats. */
export const quotedTexts = (specification: string): readonly string[] => {
  const quotes = specification.matchAll(/"([^"\n]+)"|(?<![A-Za-z0-9])'([^'\n]+)'(?![A-Za-z0-9])/g)
  return [...new Set([...quotes].map(([, double, single]) => double ?? single ?? ''))]
}

/** What is filled in stands in braces, which the specification does not always have: `“{Program name} is required”`. */
const withoutBraces = (text: string): string => plain(text).replaceAll(/[{}]/g, '')

/** As a whole, in “quotes” as a text or in 'quotes' as a value; a shortened one, '... one digit', by its ending. */
const isMentioned = (text: string, rows: readonly CoverageRow[]): boolean => {
  const [, ending] = /^\.\.\. (.+)$/.exec(text) ?? []
  const wanted = withoutBraces(ending ?? text)
  return rows.some(
    ({ what, texts }) =>
      plain(what).includes(`'${wanted}'`) ||
      texts.map(withoutBraces).some((one) => (ending === undefined ? one === wanted : one.endsWith(wanted))),
  )
}

/** Quoted texts of the specification that no row speaks of. */
export const unmentioned = (texts: readonly string[], rows: readonly CoverageRow[]): readonly string[] =>
  texts.filter((text) => !text.split(' / ').every((part) => isMentioned(part, rows)))
