import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

/** The files and packages that a program can load. */
type ImportGraph = {
  /** Each file by its path from the root, with the first file that imports it. */
  readonly files: ReadonlyMap<string, string>
  readonly packages: ReadonlyMap<string, string>
  /** Files with dynamic imports whose target is computed at runtime. */
  readonly computed: readonly string[]
}

// Type-only imports and exports do not exist at runtime.
const statements = [
  /^\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"`]([^'"`$]+)['"`]\s*[,)]/g,
  /\bnew URL\(\s*['"`](\.[^'"`$]+\.[cm]?[jt]s)['"`]\s*,\s*import\.meta\.url\s*\)/g,
  /\b(?:require|createRequire\([^)]*\))\(\s*['"`]([^'"`$]+)['"`]\s*\)/g,
]
const dynamicImport = /\bimport\(\s*(?!['"`][^'"`$]+['"`]\s*[,)])/g

const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[^:'"`])\/\/.*$/gm, '$1')

export const importsOf = (source: string): readonly string[] => {
  const code = withoutComments(source)
  return statements.flatMap((pattern) => [...code.matchAll(pattern)].flatMap((match) => match[1] ?? []))
}

const hasComputedImport = (source: string): boolean => withoutComments(source).search(dynamicImport) >= 0

const portalFile = (root: string, name: string): string => {
  const [, workspace = '', ...path] = name.split('/')
  const folder =
    ['contracts', 'tools/engines'].find((known) => basename(known) === workspace) ?? join('services', workspace)
  return join(root, folder, path[0] === 'testing' ? '' : 'src', `${path.join('/')}.ts`)
}

/** Follows all imports of a file like Node does, including dynamic imports and workers. */
export const importGraph = (root: string, entry: string): ImportGraph => {
  const files = new Map<string, string>()
  const packages = new Map<string, string>()
  const computed: string[] = []
  const waiting: (readonly [file: string, from: string])[] = [[join(root, entry), 'the start']]

  const follow = (name: string, file: string) => {
    const from = relative(root, file)
    if (name.startsWith('node:') || builtinModules.includes(name)) return
    if (name.startsWith('.')) waiting.push([join(dirname(file), name), from])
    else if (name.startsWith('@portal/')) waiting.push([portalFile(root, name), from])
    else if (!packages.has(name)) packages.set(name, from)
  }

  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [file, from] = next
    const name = relative(root, file)
    if (files.has(name)) continue
    if (!existsSync(file)) throw new Error(`${from} imports ${name}, which does not exist`)
    files.set(name, from)
    const source = readFileSync(file, 'utf8')
    if (hasComputedImport(source)) computed.push(name)
    for (const imported of importsOf(source)) follow(imported, file)
  }
  return { files, packages, computed }
}
