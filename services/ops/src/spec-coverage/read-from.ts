import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadSource } from './check.ts'

export const readFrom = (root: string): ReadSource => {
  const known = new Map<string, string | undefined>()
  return (path) => {
    const file = join(root, path)
    if (!known.has(path))
      known.set(path, existsSync(file) && statSync(file).isFile() ? readFileSync(file, 'utf8') : undefined)
    return known.get(path)
  }
}
