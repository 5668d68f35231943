import { hasTitle } from '../spec-coverage/sources.ts'
import { asvsRequirements } from './requirements.ts'
import type { AsvsRow } from './table.ts'

/** The contents of a file by its path from the root, or undefined where there is none. */
export type ReadSource = (path: string) => string | undefined

/** Why a requirement may be open. */
const openReason = /^(specification|people issue|no issue yet|deployment): \S/

const problemsOf = (row: AsvsRow, read: ReadSource): readonly string[] => {
  const level = asvsRequirements.get(row.id)
  if (level === undefined) return ['is no requirement of levels 1 and 2']
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
