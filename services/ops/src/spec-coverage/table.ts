/**
 * `web/COVERAGE.md`: what the product promises, where it is built and which test shows it. A row reads
 * `| what, with its texts in “quotes” | file, file | test file › title; test file › group › title |`.
 */
export type TestReference = { readonly file: string; readonly title: string }

export type CoverageRow = {
  /** Of the table's file, counted from 1. */
  readonly line: number
  readonly what: string
  readonly texts: readonly string[]
  readonly files: readonly string[]
  readonly tests: readonly TestReference[]
}

const cellsOf = (line: string): readonly string[] =>
  line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.replaceAll('\\|', '|').trim())

const unquoted = (text: string): string => text.replaceAll('`', '').trim()

const testOf = (text: string): TestReference => {
  const [file = '', ...title] = text.split('›')
  return { file: unquoted(file), title: title.join('›').trim() }
}

const isRow = (line: string): boolean => line.startsWith('|') && !/^\|\s*(-{3}|What\s*\|)/.test(line)

export const parseCoverage = (markdown: string): readonly CoverageRow[] =>
  markdown.split('\n').flatMap((text, index) => {
    if (!isRow(text)) return []
    const [what = '', files = '', tests = ''] = cellsOf(text)
    return [
      {
        line: index + 1,
        what,
        texts: [...what.matchAll(/“([^”]+)”/g)].map(([, quoted = '']) => quoted),
        files: files.split(',').map(unquoted).filter(Boolean),
        tests: tests
          .split(';')
          .map(testOf)
          .filter(({ file }) => file !== ''),
      },
    ]
  })
