import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A part of the suite that `make test-unit` and the like run alone. */
export type Part = 'unit' | 'engines' | 'system' | 'e2e'
export const parts: readonly Part[] = ['unit', 'engines', 'system', 'e2e']

/** `test` is what every commit must pass; `verify` is every test there is, with other random input in each run. */
export type Circle = 'test' | 'verify'

export type Stage = {
  readonly part: Part
  readonly projects: readonly string[]
  readonly workers: string
  /** Files share a worker and its modules, as in `make check`. */
  readonly shareWorkers?: true
  /** Needs engines, which start before the first such stage and stop after the last. */
  readonly onEngines?: true
  /**
   * Which tests of `make test` the stage runs: all but those tagged `verify`, or only those tagged `essential`. A stage without it has
   * none there.
   */
  readonly inTest?: '!verify' | 'essential'
  /** Real processes, engines or browsers: a failed test is run once more, alone, at the end. */
  readonly secondChance?: true
}

/**
 * In order. Tests on engines mostly wait for timeouts, so several files run at once. Heavy system tests load the machine, and the
 * first paint measures time: they run alone.
 */
const stages: readonly Stage[] = [
  { part: 'unit', projects: ['backend', 'web'], workers: '100%', shareWorkers: true, inTest: '!verify' },
  { part: 'engines', projects: ['engines'], workers: '4', onEngines: true, inTest: '!verify', secondChance: true },
  { part: 'system', projects: ['system'], workers: '2', onEngines: true, inTest: '!verify', secondChance: true },
  { part: 'system', projects: ['system-heavy'], workers: '1', onEngines: true, secondChance: true },
  { part: 'e2e', projects: ['e2e'], workers: '1', onEngines: true, inTest: '!verify', secondChance: true },
  { part: 'e2e', projects: ['journeys'], workers: '3', inTest: 'essential', secondChance: true },
]

export const stagesOf = (circle: Circle, wanted: readonly Part[]): readonly Stage[] =>
  stages.filter(
    ({ part, inTest }) =>
      (wanted.length === 0 || wanted.includes(part)) && (circle === 'verify' || inTest !== undefined),
  )

const isLeftToVerify = (text: string): boolean => /^\/\*\*[^/]*@module-tag verify\b/.test(text)
const hasEssential = (text: string): boolean => text.includes("'essential'")

/**
 * Files in which no test passes the filter of the stage that runs, `TAGS`. The configuration excludes them: vitest would load each
 * of them to find out, which takes longer than some tests.
 */
export const filesLeftOut = (): readonly string[] => {
  const filter = process.env['TAGS']
  if (filter !== '!verify' && filter !== 'essential') return []
  const [pattern, isLeftOut]: [string, (text: string) => boolean] =
    filter === 'essential'
      ? ['web/e2e/**/*.test.ts', (text) => !hasEssential(text)]
      : ['{contracts,services,web,deploy,tools}/**/*.test.{ts,tsx}', isLeftToVerify]
  const root = join(import.meta.dirname, '../..')
  return globSync(pattern, { cwd: root, exclude: (path) => path.endsWith('node_modules') })
    .map((path) => join(root, path))
    .filter((path) => isLeftOut(readFileSync(path, 'utf8')))
}
