import { relative } from 'node:path'
import type { MutantResult } from '@stryker-mutator/api/core'
import { repositoryRoot } from '../testing/portal-process.ts'

type Survivor = { readonly line: number; readonly mutator: string; readonly replacement: string }

export type MutatedFile = {
  readonly area: string
  readonly file: string
  readonly killed: number
  /** Killed by a timeout. */
  readonly timedOut: number
  /** Excluded by a comment with a reason. */
  readonly ignored: number
  /** Mutants that no test detects or executes. */
  readonly survivors: readonly Survivor[]
}

const isSurvivor = ({ status }: MutantResult): boolean => status === 'Survived' || status === 'NoCoverage'

export const mutatedFiles = (area: string, results: readonly MutantResult[]): readonly MutatedFile[] =>
  [...Map.groupBy(results, ({ fileName }) => fileName)].map(([file, mutants]) => {
    const count = (status: MutantResult['status']) => mutants.filter((mutant) => mutant.status === status).length
    return {
      area,
      file: relative(repositoryRoot, file),
      killed: count('Killed') + count('CompileError') + count('RuntimeError'),
      timedOut: count('Timeout'),
      ignored: count('Ignored'),
      survivors: mutants.filter(isSurvivor).map(({ location, mutatorName, replacement = '' }) => ({
        line: location.start.line,
        mutator: mutatorName,
        replacement,
      })),
    }
  })

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

export const tableOf = (files: readonly MutatedFile[]): string =>
  [
    '| area | file | mutants | killed | survived | ignored | score |',
    '|---|---|---|---|---|---|---|',
    ...files.map(({ area, file, killed, timedOut, ignored, survivors }) => {
      const caught = killed + timedOut
      const tried = caught + survivors.length
      return `| ${area} | \`${file}\` | ${tried} | ${caught} | ${survivors.length} | ${ignored} | ${percent(caught, tried)} |`
    }),
  ].join('\n')

/** One line per surviving mutant. */
export const survivorsOf = (files: readonly MutatedFile[]): readonly string[] =>
  files.flatMap(({ file, survivors }) =>
    survivors.map(
      ({ line, mutator, replacement }) =>
        `${file}:${line} ${mutator}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 120)}`,
    ),
  )
