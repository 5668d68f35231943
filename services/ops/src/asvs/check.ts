import { hasTitle } from '../spec-coverage/promises.ts'
import { asvsRequirements } from './requirements.ts'

type Evidence = { readonly file: string; readonly title: string | undefined }

/**
 * `docs/asvs.md` has a verdict on each requirement of OWASP ASVS 5.0.0, levels 1 and 2. Format of a row:
 * `| 6.2.1 | 1 | requirement | pass | reason, with `file` › title of a test; `file` |`.
 */
type AsvsRow = {
  /** In the file, from 1. */
  readonly line: number
  readonly id: string
  readonly level: number
  readonly asked: string
  readonly verdict: string
  readonly reason: string
  readonly evidence: readonly Evidence[]
}

const rowPattern = /^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/
/** Ignores other words in backticks, such as settings and headers. */
const evidencePattern =
  /`((?:[\w.@-]+\/)*[\w.-]+\.(?:tsx?|md|ya?ml|cfg|json|html)|Makefile|deploy\/Dockerfile)`(?: › ([^;|]+))?/g

const evidenceIn = (reason: string): readonly Evidence[] =>
  [...reason.matchAll(evidencePattern)].map(([, file = '', title]) => ({ file, title: title?.trim() }))

export const parseAsvs = (markdown: string): readonly AsvsRow[] =>
  markdown.split('\n').flatMap((text, index) => {
    const parts = rowPattern.exec(text.replaceAll(/ +/g, ' '))
    if (!parts) return []
    const [, id = '', level = '', asked = '', verdict = '', reason = ''] = parts.map((part) => part.trim())
    return [{ line: index + 1, id, level: Number(level), asked, verdict, reason, evidence: evidenceIn(reason) }]
  })

/** The counts at the top: `| pass | 55 | 110 |`. */
export const statedCounts = (markdown: string): Readonly<Record<string, readonly [number, number]>> =>
  Object.fromEntries(
    [...markdown.matchAll(/^\|\s*(pass|n\/a|open)\s*\|\s*(\d+)\s*\|\s*(\d+)\s*\|$/gm)].map(
      ([, verdict = '', first, second]) => [verdict, [Number(first), Number(second)] as const],
    ),
  )

/** The content of a file by its path from the root; undefined if it does not exist. */
export type ReadSource = (path: string) => string | undefined

/** The allowed reasons for an open requirement. */
const openReason = /^(specification|people issue|no issue yet|deployment): \S/

const problemsOf = (row: AsvsRow, read: ReadSource): readonly string[] => {
  const level = asvsRequirements.get(row.id)
  if (level === undefined) return ['is not a requirement of level 1 or 2']
  return [
    ...(row.level === level ? [] : [`is of level ${level}`]),
    ...(row.asked === '' ? ['does not say what is asked'] : []),
    ...(row.verdict === 'pass' && row.evidence.length === 0 ? ['names nothing that shows it'] : []),
    ...(row.verdict === 'n/a' && row.reason === '' ? ['does not say why'] : []),
    ...(row.verdict === 'open' && !openReason.test(row.reason) ? ['does not say what keeps it open'] : []),
    ...(row.verdict === 'open' && level === 1 && !row.reason.startsWith('specification:')
      ? ['is open at level 1 though the specification does not demand it']
      : []),
    ...(['pass', 'n/a', 'open'].includes(row.verdict) ? [] : [`has no verdict, but “${row.verdict}”`]),
    ...row.evidence.flatMap(({ file, title }) => {
      const source = read(file)
      if (source === undefined) return [`${file} does not exist`]
      return title === undefined || hasTitle(source, title) ? [] : [`${file} has no test “${title}”`]
    }),
  ]
}

export const checkAsvsRows = (rows: readonly AsvsRow[], read: ReadSource): readonly string[] => [
  ...rows.flatMap((row) => problemsOf(row, read).map((problem) => `line ${row.line}: ${row.id} ${problem}`)),
  ...[...asvsRequirements.keys()].flatMap((id) => {
    const count = rows.filter((row) => row.id === id).length
    return count === 1 ? [] : [`${id} has ${count} rows`]
  }),
]

export const countVerdicts = (rows: readonly AsvsRow[]): Readonly<Record<string, readonly [number, number]>> =>
  Object.fromEntries(
    ['pass', 'n/a', 'open'].map((verdict) => {
      const count = (level: number) => rows.filter((row) => row.verdict === verdict && row.level === level).length
      return [verdict, [count(1), count(2)] as const]
    }),
  )
