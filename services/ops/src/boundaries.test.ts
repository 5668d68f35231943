import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules, createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { repositoryRoot as root } from './repository-root.ts'

/**
 * The import boundaries: a package imports only declared dependencies and their exports; lint rules add further limits. Each rule has
 * a failing example, because a pattern that matches nothing would never fail.
 */
const rulesFile = '.oxlintrc.json'
const manifestSchema = z.object({
  name: z.string(),
  workspaces: z.array(z.string()).default([]),
  exports: z.record(z.string(), z.string().nullable()).default({}),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).default({}),
})
const readManifest = (path: string) => ({
  folder: path,
  ...manifestSchema.parse(JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))),
})
type Manifest = ReturnType<typeof readManifest>

/** The package of files outside of the workspaces: deploy and the root configuration. */
const rootManifest = readManifest('')
const packages = globSync(rootManifest.workspaces, { cwd: root }).toSorted().map(readManifest)
const packageOf = (file: string): Manifest =>
  packages.find(({ folder: path }) => file.startsWith(`${path}/`)) ?? rootManifest

/** Files that production does not load, so they may import development dependencies. */
const isForDevelopment = (file: string): boolean =>
  /\.test\.tsx?$|\/testing\/|\.config\.ts$|^web\/(?:e2e|browsers|build|media)\//.test(file)

/** Packages that all tests and tools may use. */
const sharedTools = Object.keys(rootManifest.devDependencies).filter((name) => !name.startsWith('@portal/'))

/** A package without dependencies is a tool that production does not run. */
const declaredFor = (file: string): ReadonlySet<string> => {
  const { folder: path, dependencies, devDependencies } = packageOf(file)
  const isTool = path === '' || dependencies === undefined
  return new Set([
    ...Object.keys(dependencies ?? {}),
    ...(isTool || isForDevelopment(file) ? [...sharedTools, ...Object.keys(devDependencies)] : []),
  ])
}

const isExported = (imported: string): boolean => {
  try {
    createRequire(join(root, 'package.json')).resolve(imported)
    return true
  } catch {
    return false // not exported
  }
}

/** Why `file` may not import the package; undefined if it may. */
const packageRefusal = (file: string, imported: string): string | undefined => {
  const { name: own } = packageOf(file)
  if (imported.startsWith('.')) {
    const target = join(dirname(file), imported)
    const isOwn = packageOf(target).name === own || file.endsWith('.config.ts')
    return isOwn ? undefined : 'a relative import leaves its package'
  }
  if (imported.startsWith('node:') || imported.startsWith('virtual:') || builtinModules.includes(imported))
    return undefined
  const name = imported.split('/', imported.startsWith('@') ? 2 : 1).join('/')
  if (name !== own && !declaredFor(file).has(name)) return `${own} does not declare ${name}`
  if (name.startsWith('@portal/') && !isExported(imported)) return `${name} does not export it`
  return undefined
}

const importStatement = /^\s*(?:import|export)\s(?:[^'";]*?\sfrom\s+)?'([^'\n]+)'|\bimport\(\s*'([^'\n]+)'/gm
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importStatement)].map(
    ([, named, loaded]) => named ?? loaded ?? '',
  )
const sources = execFileSync('git', ['ls-files', '*.ts', '*.tsx'], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boundaries-'))
  const rules = readFileSync(join(root, rulesFile), 'utf8')
  // The rules of the plugins stay where they are.
  writeFileSync(join(folder, rulesFile), rules.replaceAll('"./', `"${root}/`))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Import = readonly [file: string, imported: string]

const forbidden: readonly Import[] = [
  ['contracts/src/auth/x.ts', '@portal/platform/bus/port'],
  ['contracts/src/auth/x.ts', '../../../web/src/lib/http.ts'],
  ['contracts/src/auth/x.ts', 'node:crypto'],
  ['services/platform/src/bus/x.ts', '@portal/auth/service'],
  ['services/platform/src/http/x.ts', '@portal/gateway/edge'],
  ['services/auth/src/x.ts', '@portal/notifications/service'],
  ['services/auth/src/user/x.ts', '../../../catalog/src/app.ts'],
  ['services/catalog/src/x.ts', '@portal/auth/projections'],
  ['services/notifications/src/x.ts', '@portal/gateway/sockets/seen-counter'],
  ['services/notifications/src/x.ts', '@portal/auth/projections'],
  ['services/notifications/src/x.ts', '@portal/catalog/projections'],
  ['services/gateway/src/sockets/x.ts', '@portal/notifications/inbox/inbox-reader'],
  ['services/gateway/src/x.ts', '@portal/standalone/services'],
  ['services/processes/src/x.ts', '@portal/platform/outbound/open-outbound'],
  ['services/processes/src/x.ts', '@portal/sample-data/seed-portal'],
  ['services/processes/src/x.ts', '../../notifications/src/inbox/inbox-reader.ts'],
  ['services/processes/src/x.ts', '@portal/notifications/inbox/mark-read'],
  ['services/standalone/src/x.ts', '@portal/processes/auth'],
  ['services/auth/src/x.ts', '@portal/system-tests/testing/api-client'],
  ['services/auth/src/x.ts', '@portal/engines/free-port'],
  ['services/platform/src/bus/x.ts', '@portal/engines/free-port'],
  ['services/platform/src/bus/x.test.ts', '@portal/ops/dev-engines/processes'],
  ['tools/engines/src/x.test.ts', '@portal/platform/adapters/open-adapters'],
  ['services/auth/src/x.ts', '@portal/sample-data/people'],
  ['services/system-tests/src/x.ts', '@portal/sample-data/people'],
  ['services/standalone/src/x.ts', '@portal/ops/command'],
  ['services/ops/src/x.ts', '../../system-tests/src/testing/api-client.ts'],
  ['services/system-tests/src/x.ts', '@portal/auth/service'],
  ['services/system-tests/src/golden/x.ts', '@portal/ops/command'],
  ['services/system-tests/src/golden/x.ts', '../../../auth/src/app.ts'],
  ['deploy/compose/x.ts', '@portal/auth/service'],
  ['deploy/compose/x.ts', '../../services/ops/src/command.ts'],
  ['services/ops/src/replay/x.ts', '@portal/platform/outbound/port'],
  ['services/ops/src/replay/x.ts', '@portal/standalone/services'],
  ['services/platform/src/projection/x.ts', '../outbound/port.ts'],
  ['services/notifications/src/inbox/projection.ts', '@portal/platform/outbound/port'],
  ['services/notifications/src/inbox/projection.ts', '@portal/auth/user/profile'],
  ['web/src/features/auth/x.ts', '../notifications/atoms.ts'],
  ['web/src/features/auth/registration/x.ts', '../../notifications/atoms.ts'],
  ['web/src/features/auth/x.ts', '../../features/notifications/atoms.ts'],
  ['web/src/features/auth/x.ts', '../../app/router.tsx'],
  ['web/src/features/auth/x.ts', '@portal/platform/session/session'],
  ['web/src/ui/x.tsx', '../features/auth/api.ts'],
  ['web/src/lib/x.ts', '../app/router.tsx'],
  ['web/src/app/x.tsx', '@portal/platform/session/session'],
  ['web/e2e/x.ts', '@portal/platform/session/session'],
  ['web/e2e/x.ts', '../../services/ops/src/command.ts'],
]

const allowed: readonly Import[] = [
  ['contracts/src/auth/x.ts', '../shared/ids.ts'],
  ['services/auth/src/user/x.ts', '@portal/contracts/auth/user'],
  ['services/auth/src/user/x.ts', '@portal/platform/bus/port'],
  ['services/notifications/src/delivery/x.ts', '@portal/platform/outbound/port'],
  ['services/processes/src/x.ts', '@portal/auth/projections'],
  ['services/processes/src/x.ts', '@portal/notifications/inbox/inbox-reader'],
  ['services/standalone/src/x.ts', '@portal/auth/service'],
  ['services/standalone/src/x.ts', '@portal/sample-data/seed-portal'],
  ['services/ops/src/x.ts', '@portal/sample-data/seed-portal'],
  ['services/ops/src/x.ts', '@portal/standalone/banner'],
  ['services/ops/src/x.test.ts', '@portal/engines/free-port'],
  ['services/platform/src/bus/x.test.ts', '@portal/engines/free-port'],
  ['deploy/compose/x.ts', '@portal/platform/settings/config'],
  ['web/e2e/x.ts', '@portal/system-tests/testing/api-client'],
  ['web/src/features/auth/registration/x.ts', '../session/api.ts'],
  ['web/src/features/auth/x.ts', '../../lib/http.ts'],
  ['web/src/app/x.tsx', '../features/auth/api.ts'],
]

const rulesSchema = z.object({
  overrides: z.array(
    z.object({
      files: z.array(z.string()),
      rules: z.looseObject({
        'no-restricted-imports': z
          .tuple([
            z.literal('error'),
            z.object({
              patterns: z.array(z.object({ regex: z.string().optional(), message: z.string() })).default([]),
            }),
          ])
          .or(z.literal('off'))
          .optional(),
      }),
    }),
  ),
})
const { overrides } = rulesSchema.parse(JSON.parse(readFileSync(join(root, rulesFile), 'utf8')))

const foldersIn = (path: string): readonly string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .flatMap((entry) => (entry.isDirectory() ? [entry.name] : []))
    .toSorted()

/** What lint says about each import: all of them in one run, each in its own lines of its file. */
const lint = (imports: readonly Import[]): ReadonlyMap<Import, string> => {
  const files = Map.groupBy(imports, ([file]) => file)
  for (const [file, of] of files) {
    const lines = of.map(
      ([, imported], n) => `import type { Thing as Thing${n} } from '${imported}'; export type Own${n} = Thing${n}\n`,
    )
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), lines.join(''))
  }
  const oxlint = join(root, 'node_modules/oxlint/bin/oxlint')
  const { stdout } = spawnSync(process.execPath, [oxlint, '--format=unix', ...files.keys()], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout).toMatch(/\d+ problems?$/m)
  const said = stdout.split('\n')
  return new Map(
    [...files].flatMap(([file, of]) =>
      of.map((each, n) => [each, said.filter((line) => line.startsWith(`${file}:${n + 1}:`)).join('\n')] as const),
    ),
  )
}

describe('the import boundaries', () => {
  it('refuse what a package must not import, and nothing that it may', () => {
    const said = lint([...forbidden, ...allowed])
    const refusalOf = (each: Import) => packageRefusal(...each) ?? said.get(each) ?? ''
    const reasons = /leaves its package|does not declare|does not export|no-restricted-imports/
    expect(forbidden.filter((each) => !reasons.test(refusalOf(each)))).toEqual([])
    expect(allowed.map((each) => [...each, refusalOf(each)])).toEqual(allowed.map((each) => [...each, '']))
  })

  it('hold for every import of the repository', () => {
    expect(sources.length).toBeGreaterThan(1_000)
    const refused = sources.flatMap((file) =>
      importsOf(file).flatMap((imported) => {
        const refusal = packageRefusal(file, imported)
        return refusal === undefined ? [] : [`${file} imports ${imported}: ${refusal}`]
      }),
    )
    expect(refused).toEqual([])
  })

  it('let packages, with their tests, depend only on packages below them', () => {
    // A package is below those that depend on it, so it must not depend on them in turn.
    const dependenciesOf = new Map(
      packages.map(({ name, dependencies, devDependencies }) => [
        name,
        Object.keys({ ...dependencies, ...devDependencies }).filter((other) => other.startsWith('@portal/')),
      ]),
    )
    const reachableFrom = (name: string): ReadonlySet<string> => {
      const reached = new Set<string>()
      const waiting = [name]
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        for (const other of dependenciesOf.get(next) ?? []) {
          if (reached.has(other)) continue
          reached.add(other)
          waiting.push(other)
        }
      }
      return reached
    }
    expect([...dependenciesOf.keys()].filter((name) => reachableFrom(name).has(name))).toEqual([])
    expect(dependenciesOf.get('@portal/engines')).toEqual([])
  })

  it('list exactly the existing features and services', () => {
    const featureNames = overrides
      .map(({ rules }) => rules['no-restricted-imports'])
      .flatMap((rule) => (rule === undefined || rule === 'off' ? [] : rule[1].patterns))
      .flatMap(({ message, regex }) => (message.startsWith('Features are independent') ? [regex] : []))
      .flatMap((regex) => regex?.match(/\(([a-z|-]+)\)\/\)$/)?.[1]?.split('|') ?? [])
    expect(featureNames).toEqual(foldersIn('web/src/features'))
    const inServices = packages.flatMap(({ folder: path }) => /^services\/(.*)$/.exec(path)?.[1] ?? [])
    expect(inServices.toSorted()).toEqual(foldersIn('services'))
    expect(
      overrides.flatMap(({ files }) => files).filter((glob) => globSync(glob, { cwd: root }).length === 0),
    ).toEqual([])
  })

  it('require named exports of every imported package', () => {
    const exporting = packages.filter((manifest) => Object.keys(manifest.exports).length > 0)
    expect(exporting.length).toBeGreaterThan(5)
    expect(exporting.filter((manifest) => './*' in manifest.exports)).toEqual([])
  })

  it('have no entry point that no file imports', () => {
    const imported = new Set(sources.flatMap(importsOf))
    const entryPoints = packages.flatMap(({ name, exports }) =>
      Object.keys(exports).map((entry) => `${name}${entry.slice(1)}`),
    )
    expect(entryPoints.filter((entry) => !entry.endsWith('*') && !imported.has(entry))).toEqual([])
  })
})
