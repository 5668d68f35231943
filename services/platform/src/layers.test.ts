import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

/** From the bottom up. A folder imports only from lower lines. */
const layers: readonly (readonly string[])[] = [
  ['async', 'cache', 'errors', 'settings'],
  ['event-store', 'files'],
  ['decider', 'personal-data', 'read-model'],
  ['discontinuity', 'idempotency', 'limits', 'peers', 'session'],
  ['bus'],
  ['observability', 'projection'],
  ['generations', 'outbound', 'security-log'],
  ['adapters', 'backup', 'http'],
  ['operations', 'restore'],
  ['runtime'],
]
const layerOf = new Map(layers.flatMap((folders, layer) => folders.map((folder) => [folder, layer] as const)))

const root = import.meta.dirname
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
  .map(({ parentPath, name }) => relative(root, join(parentPath, name)))

const folderOf = (file: string): string => file.split('/')[0] ?? file

const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    relative(root, resolve(root, dirname(file), path)),
  )

const isUpward = (file: string, imported: string): boolean => {
  const [from, to] = [folderOf(file), folderOf(imported)]
  return from !== to && (layerOf.get(to) ?? Infinity) >= (layerOf.get(from) ?? -1)
}

describe('the folders of the platform', () => {
  it('each have a layer', () => {
    expect([...new Set(files.map(folderOf))].toSorted()).toEqual([...layerOf.keys()].toSorted())
  })
  it('import downwards only', () => {
    const upward = files.flatMap((file) =>
      importsOf(file).flatMap((imported) => (isUpward(file, imported) ? [`${file} -> ${imported}`] : [])),
    )
    expect(upward).toEqual([])
  })
})
