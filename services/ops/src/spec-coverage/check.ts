import type { CoverageRow } from './table.ts'

/** The contents of a file by its path from the root, or undefined where there is none. */
export type ReadSource = (path: string) => string | undefined

/** Source text as a reader sees it: without escapes and entities, in single spaces. */
const plain = (text: string): string =>
  text
    .replaceAll(/\\(['"`])/g, '$1')
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

const missingTexts = (row: CoverageRow, read: ReadSource): readonly string[] => {
  const sources = plain(row.files.map((file) => read(file) ?? '').join('\n'))
  return row.texts.filter((text) => !fixedParts(text).every((part) => sources.includes(part)))
}

/** What is wrong with one row, in words. */
const problemsOf = (row: CoverageRow, read: ReadSource): readonly string[] => [
  ...(row.files.length === 0 ? ['names no file'] : []),
  ...(row.tests.length === 0 ? ['names no test'] : []),
  ...row.files.filter((file) => read(file) === undefined).map((file) => `${file} does not exist`),
  ...row.tests.flatMap(({ file, title }) => {
    const source = read(file)
    if (source === undefined) return [`${file} does not exist`]
    if (title === '') return [`${file} is named without the title of a test`]
    return plain(source).includes(plain(title)) ? [] : [`${file} has no test “${title}”`]
  }),
  ...missingTexts(row, read).map((text) => `“${text}” is in none of its files`),
]

export const checkRows = (rows: readonly CoverageRow[], read: ReadSource): readonly string[] =>
  rows.flatMap((row) => problemsOf(row, read).map((problem) => `line ${row.line}: ${problem}`))

/** What stands in quotes in a specification, less the values and formats named there. */
export const quotedTexts = (specification: string): readonly string[] => {
  const quotes = specification.matchAll(/"([^"\n]+)"|(?<![A-Za-z0-9])'([^'\n]+)'(?![A-Za-z0-9])/g)
  return [...new Set([...quotes].map(([, double, single]) => double ?? single ?? ''))]
}

/** Quoted texts of the specification that no row speaks of. A shortened one, '... one digit', stands for its ending. */
export const unmentioned = (texts: readonly string[], rows: readonly CoverageRow[]): readonly string[] => {
  const table = plain(rows.map(({ what }) => what).join('\n'))
  const parts = (text: string) => text.split(/\.\.\.| \/ /).map((part) => plain(part).trim()).filter(Boolean)
  return texts.filter((text) => !parts(text).every((part) => table.includes(part)))
}
