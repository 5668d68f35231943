import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { workerPath } from '../src/features/push/worker-address.ts'
import { workerScript } from './worker-script.ts'

const source = fileURLToPath(new URL('../src/worker/push.ts', import.meta.url))

/** The worker that receives pushes. While developing it is built when it is asked for. */
export const pushWorker = (): Plugin => ({
  name: 'portal-push-worker',
  async generateBundle() {
    this.emitFile({ type: 'asset', fileName: workerPath.slice(1), source: await workerScript(source) })
  },
  configureServer: ({ middlewares }) => {
    middlewares.use(workerPath, async (_request, response) => {
      const script = await workerScript(source)
      response.setHeader('content-type', 'text/javascript')
      response.end(script)
    })
  },
})
