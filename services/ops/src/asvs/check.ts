import { asvsRequirements } from './requirements.ts'

/** A requirement of OWASP ASVS 5.0.0 in `docs/asvs.md`, with the reason or the files in backticks that show it. */
type AsvsRow = {
  readonly id: string
  readonly verdict: 'open' | 'n/a' | 'met'
  readonly level?: number
  readonly text: string
}

const id = String.raw`\d+\.\d+\.\d+`
const ids = String.raw`${id}(?:, ${id})*`
const openRow = new RegExp(String.raw`^\| (${id}) \| (\d) \| [^|]+ \| ([^|]+) \|$`)
const metRow = new RegExp(String.raw`^- (${ids}): (.+)$`)
const notApplicableRow = new RegExp(String.raw`^\| ([^|]+) \| (${ids}) \|$`)

const parseRow = (row: string): readonly AsvsRow[] => {
  const [, open, level, why = ''] = openRow.exec(row) ?? []
  if (open !== undefined) return [{ id: open, verdict: 'open', level: Number(level), text: why }]
  const each = (list: string, verdict: 'met' | 'n/a', text: string): readonly AsvsRow[] =>
    list.split(', ').map((one) => ({ id: one, verdict, text }))
  const [, met, evidence = ''] = metRow.exec(row) ?? []
  if (met !== undefined) return each(met, 'met', evidence)
  const [, reason = '', notApplicable] = notApplicableRow.exec(row) ?? []
  return notApplicable === undefined ? [] : each(notApplicable, 'n/a', reason)
}

export const parseAsvs = (markdown: string): readonly AsvsRow[] =>
  markdown.split('\n').flatMap((line) => parseRow(line.trim().replaceAll(/ +/g, ' ')))

/** Ignores other words in backticks, such as settings and headers. */
const filePattern = /`((?:[\w.@-]+\/)*[\w.-]+\.(?:tsx?|md|ya?ml|cfg|json|html)|Makefile|deploy\/Dockerfile)`/g

/** The allowed reasons for an open requirement. */
const openReason = /^(specification|no issue yet|deployment): \S/

const problemsOf = (row: AsvsRow, exists: (path: string) => boolean): readonly string[] => {
  const level = asvsRequirements.get(row.id)
  if (level === undefined) return ['is not a requirement of level 1 or 2']
  const files = [...row.text.matchAll(filePattern)].map(([, file = '']) => file)
  const isOpen = row.verdict === 'open'
  return [
    ...(isOpen && row.level !== level ? [`is of level ${level}`] : []),
    ...(isOpen && !openReason.test(row.text) ? ['does not say what keeps it open'] : []),
    ...(isOpen && level === 1 && !row.text.startsWith('specification:')
      ? ['is open at level 1 though the specification does not demand it']
      : []),
    ...(row.verdict === 'met' && files.length === 0 ? ['names nothing that shows it'] : []),
    ...files.filter((file) => !exists(file)).map((file) => `${file} does not exist`),
  ]
}

export const checkAsvsRows = (rows: readonly AsvsRow[], exists: (path: string) => boolean): readonly string[] => [
  ...rows.flatMap((row) => problemsOf(row, exists).map((problem) => `${row.id} ${problem}`)),
  ...[...asvsRequirements.keys()].flatMap((required) => {
    const count = rows.filter((row) => row.id === required).length
    return count === 1 ? [] : [`${required} has ${count} rows`]
  }),
]
