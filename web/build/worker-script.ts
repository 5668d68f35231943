import { build } from 'vite'

/** A worker with all that it imports, as one plain script: browsers tie workers to a fixed address and know no modules there. */
export const workerScript = async (source: string, define: Readonly<Record<string, string>> = {}): Promise<string> => {
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: { write: false, target: 'es2022', rolldownOptions: { input: source, output: { format: 'iife' } } },
  })
  const chunk = 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error(`The worker ${source} was not built`)
  return chunk.code
}
