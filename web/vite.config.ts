import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { buildTarget } from './browsers/supported.ts'
import { assertPatternsMatch } from './build/assert-patterns-match.ts'
import { chunkPatterns, chunks, isOfFirstScreen } from './build/chunks.ts'
import { compress } from './build/compress.ts'
import { devProxy } from './build/dev-proxy.ts'
import { earlyRequests, firstScreen, polyfills, themeInHead } from './build/index-html.tsx'
import { prerender } from './build/prerender.ts'
import { pushWorker } from './build/push-worker.ts'
import { notPrecached, serviceWorker, serviceWorkerFile } from './build/service-worker.ts'

/** The portal that serves the API in development, started with `make run`. */
const portal = process.env['PORTAL_URL'] ?? 'http://localhost:3000'

export default defineConfig({
  plugins: [
    react(),
    themeInHead(),
    firstScreen(),
    polyfills(),
    earlyRequests(),
    prerender(),
    pushWorker(),
    serviceWorker(),
    assertPatternsMatch([...chunkPatterns, ...notPrecached]),
    compress([serviceWorkerFile]),
  ],
  build: {
    target: buildTarget,
    // One style sheet, small enough to inline.
    cssCodeSplit: false,
    // Safari before 17 and Firefox before 115 ignore modulepreload, and load each file when it is imported.
    modulePreload: {
      polyfill: false,
      // Each page would list the files of every first screen, which are loaded already, in the script of that screen. Few logins
      // have a second step, and the login page would list all of its files.
      resolveDependencies: (file, deps, { hostType }) => {
        if (hostType !== 'js') return deps
        return file.includes('/login-second-step-') ? [] : deps.filter((dep) => !isOfFirstScreen(dep))
      },
    },
    rolldownOptions: {
      // The first screen names all files of the later ones, so a character less of each name counts.
      output: { codeSplitting: { groups: chunks }, chunkFileNames: 'assets/[name]-[hash:7].js' },
    },
  },
  server: { proxy: devProxy(portal) },
})
