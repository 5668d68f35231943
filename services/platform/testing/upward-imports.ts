import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'

const roomOf = (file: string): string => file.split('/')[0] ?? file

/**
 * Checks the imports between the folders and files directly in `root`. `layers` names them from the bottom up; each may
 * import only from lower layers. Returns the entries that `layers` does not list, those that it lists and that do not
 * exist, and the imports that point upwards.
 */
export const upwardImports = (root: string, layers: readonly (readonly string[])[]) => {
  const layerOf = new Map(layers.flatMap((rooms, layer) => rooms.map((room) => [room, layer] as const)))
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))

  const importsOf = (file: string): readonly string[] =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, path = '']) =>
      relative(root, resolve(root, dirname(file), path)),
    )
  const isUpward = (file: string, imported: string): boolean => {
    const [from, to] = [roomOf(file), roomOf(imported)]
    return from !== to && (layerOf.get(to) ?? Infinity) >= (layerOf.get(from) ?? -1)
  }
  const rooms = new Set(files.map(roomOf))
  return {
    unlisted: [...rooms].filter((room) => !layerOf.has(room)),
    missing: [...layerOf.keys()].filter((room) => !rooms.has(room)),
    upward: files.flatMap((file) =>
      importsOf(file).flatMap((imported) => (isUpward(file, imported) ? [`${file} -> ${imported}`] : [])),
    ),
  }
}
