import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { buildTarget } from '../browsers/supported.ts'

/** The code of one classic script, from a file in `src`. */
export const bundleScript = async (path: string): Promise<string> => {
  const source = fileURLToPath(new URL(`../src/${path}`, import.meta.url))
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, target: buildTarget, rolldownOptions: { input: source, output: { format: 'iife' } } },
  })
  const chunk = 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error(`Vite built no chunk for ${source}`)
  return chunk.code.trim()
}
