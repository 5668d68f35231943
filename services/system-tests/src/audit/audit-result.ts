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
}

const maxFailures = 20

/** Collects failures up to a bound and counts the rest. */
export const createFailures = () => {
  const lines: string[] = []
  let count = 0
  return {
    add: (line: string): void => {
      count += 1
      if (lines.length < maxFailures) lines.push(line.replaceAll(/\s+/g, ' ').slice(0, 500))
    },
    get count() {
      return count
    },
    lines: (): readonly string[] => (count > lines.length ? [...lines, `and ${count - lines.length} more`] : lines),
  }
}
export type Failures = ReturnType<typeof createFailures>

const cell = (text: string): string => text.replaceAll('|', '·')

/** The results as a Markdown table. */
export const tableOf = (rows: readonly AuditResult[]): string =>
  [
    '| row | tried | expected | found | |',
    '|---|---|---|---|---|',
    ...rows.map(({ name, tried, expected, found, failures }) => {
      const cells = [name, tried, expected, found, failures.length === 0 ? 'passed' : '**failed**']
      return `| ${cells.map(cell).join(' | ')} |`
    }),
  ].join('\n')
