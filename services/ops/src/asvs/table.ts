/**
 * `docs/asvs.md`: a verdict on each requirement of OWASP ASVS 5.0.0, levels 1 and 2. A row reads
 * `| 6.2.1 | 1 | what is asked | pass | why, with `file` › title of a test; `file` |`.
 */
export type Verdict = 'pass' | 'n/a' | 'open'

export type Evidence = { readonly file: string; readonly title: string | undefined }

export type AsvsRow = {
  /** Of the file, counted from 1. */
  readonly line: number
  readonly id: string
  readonly level: number
  readonly asked: string
  readonly verdict: string
  readonly reason: string
  readonly evidence: readonly Evidence[]
}

const rowPattern = /^\| (\d+\.\d+\.\d+) \| (\d) \| ([^|]*) \| ([^|]*) \| ([^|]*) \|$/
/** Other words in backticks are settings, headers and the like. */
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
