/** One row of the audit table. */
export type AuditResult = {
  readonly name: string
  /** What was tried, and how often. */
  readonly tried: string
  /** Condition for the audit to pass. */
  readonly expected: string
  readonly found: string
  /** Empty if the audit passes; bounded, one line each. */
  readonly failures: readonly string[]
  /** Times and memory beyond their baseline. They depend on the machine, so only `make audit` fails on them. */
  readonly exceeded?: readonly string[]
}

const maxFailures = 20

/** Collects failures up to a bound and counts the rest. */
export const createFailures = () => {
  const lines: string[] = []
  const exceeded: string[] = []
  let count = 0
  return {
    add: (line: string): void => {
      count += 1
      if (lines.length < maxFailures) lines.push(line.replaceAll(/\s+/g, ' ').slice(0, 500))
    },
    /** A figure beyond its baseline. */
    exceed: (line: string): void => void exceeded.push(line),
    exceeded: (): readonly string[] => exceeded,
    get count() {
      return count
    },
    lines: (): readonly string[] => (count > lines.length ? [...lines, `and ${count - lines.length} more`] : lines),
  }
}
export type Failures = ReturnType<typeof createFailures>

const cell = (text: string): string => text.replaceAll('|', '·')

/** Returns the failures, with the figures beyond their baseline. */
export const allFailures = ({ failures, exceeded = [] }: AuditResult): readonly string[] => [...failures, ...exceeded]

/** The results as a Markdown table. */
export const tableOf = (rows: readonly AuditResult[]): string =>
  [
    '| row | tried | expected | found | |',
    '|---|---|---|---|---|',
    ...rows.map((row) => {
      const cells = [
        row.name,
        row.tried,
        row.expected,
        row.found,
        allFailures(row).length === 0 ? 'passed' : '**failed**',
      ]
      return `| ${cells.map(cell).join(' | ')} |`
    }),
  ].join('\n')
