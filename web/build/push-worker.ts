import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { buildTarget } from '../browsers/supported.ts'
import { workerPath } from '../src/features/push/push-worker.ts'

const source = fileURLToPath(new URL('../src/worker/push.ts', import.meta.url))

/** Bundles one classic script at a fixed address, because not every browser supports modules in workers. */
const bundleWorker = async (): Promise<string> => {
  const output = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: { write: false, target: buildTarget, rolldownOptions: { input: source, output: { format: 'iife' } } },
  })
  const chunk = 'output' in output ? output.output[0] : undefined
  if (!chunk) throw new Error(`Vite built no chunk for ${source}`)
  return chunk.code
}

/** Builds the worker that receives pushes. In development it is built on request. */
export const pushWorker = (): Plugin => ({
  name: 'portal-push-worker',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: workerPath.slice(1), source: await bundleWorker() })
  },
  configureServer: ({ middlewares }) => {
    middlewares.use(workerPath, async (_request, response) => {
      const script = await bundleWorker()
      response.setHeader('content-type', 'text/javascript')
      response.end(script)
    })
  },
})
