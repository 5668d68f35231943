import type { Plugin } from 'vite'
import { workerPath } from '../src/features/push/push-worker.ts'
import { bundleScript } from './bundle-script.ts'

/** A classic script at a fixed address, because not every browser supports modules in workers. */
const bundleWorker = (): Promise<string> => bundleScript('worker/push.ts')

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
