import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { matchesGlob, join } from 'node:path'
import type { LogLevel } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { repositoryRoot } from '../testing/portal-process.ts'
import { type Area, areas } from './areas.ts'
import { type MutatedFile, mutatedFiles, survivorsOf, tableOf } from './report.ts'

/**
 * `make mutants` mutates the code of each area with StrykerJS and runs its tests on each mutant.
 * `ONLY=services/auth/**` selects files, `SINCE=v0.2.0` the areas whose code or tests have changed since that commit. Exits with 1 if a mutant survives. Writes mutant-results/mutants.json.
 */
const only = process.env['ONLY']
const since = process.env['SINCE']
const concurrency = 2

/** The value of LogLevel.Warning, a const enum that type stripping cannot import. */
const warningLevel = 'warn' as LogLevel

/** Files that the tests do not need or that other processes may be writing. */
const ignorePatterns = [
  '**/dist',
  'data',
  'backups',
  'engines',
  '*-results',
  'services/system-tests/golden',
  '.git',
  '.stryker-tmp*',
]

const filesOf = (area: Area): readonly string[] =>
  area.mutate.filter((path) => only === undefined || only === '' || matchesGlob(path, only))

const mutate = async (area: Area): Promise<readonly MutatedFile[]> => {
  process.env['MUTANTS_TESTS'] = area.tests.join(',')
  process.env['MUTANTS_ENVIRONMENT'] = area.environment
  const results = await new Stryker({
    mutate: [...filesOf(area)],
    testRunner: 'vitest',
    vitest: { configFile: 'services/system-tests/src/mutants/vitest.config.ts' },
    plugins: ['@stryker-mutator/vitest-runner'],
    concurrency,
    coverageAnalysis: 'perTest',
    ignorePatterns,
    reporters: ['dots'],
    warnings: false,
    allowEmpty: true,
    // Disables the tsconfig rewrite of StrykerJS, which needs an API that TypeScript 7 lacks.
    tsconfigFile: 'no-such-file.json',
    logLevel: warningLevel,
  }).runMutationTest()
  return mutatedFiles(area.name, results)
}

process.chdir(repositoryRoot)
const misnamed = areas.flatMap((area) => [...area.mutate, ...area.tests]).filter((path) => globSync(path).length === 0)
if (misnamed.length > 0) {
  process.stderr.write(`areas.ts names files that do not exist: ${misnamed.join(', ')}\n`)
  process.exit(1)
}
const changed = since
  ? execFileSync('git', ['diff', '--name-only', since], { encoding: 'utf8' }).split('\n').filter(Boolean)
  : undefined
const hasChanged = (area: Area): boolean =>
  changed?.some((path) => [...area.mutate, ...area.tests].some((pattern) => matchesGlob(path, pattern))) ?? true
const chosen = areas.filter((area) => filesOf(area).length > 0 && hasChanged(area))
if (chosen.length === 0 && changed) {
  process.stdout.write(`No area has changed since ${since}\n`)
  process.exit(0)
}
if (chosen.length === 0) {
  process.stderr.write(
    `No mutated file matches ${only ?? ''}. Files: ${areas.flatMap((area) => area.mutate).join(', ')}\n`,
  )
  process.exit(1)
}
const measured: MutatedFile[] = []
for (const area of chosen) {
  process.stderr.write(`${area.name} …\n`)
  const files = await mutate(area)
  measured.push(...files)
  process.stderr.write(
    `\n${survivorsOf(files)
      .map((line) => `${line}\n`)
      .join('')}`,
  )
}
const folder = join(repositoryRoot, 'mutant-results')
mkdirSync(folder, { recursive: true })
writeFileSync(
  join(folder, 'mutants.json'),
  `${JSON.stringify({ at: new Date().toISOString(), files: measured }, null, 2)}\n`,
)
const survivors = survivorsOf(measured)
process.stdout.write(`${tableOf(measured)}\n`)
process.exit(survivors.length > 0 ? 1 : 0)
