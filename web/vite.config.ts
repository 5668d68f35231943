import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { toPortal } from './build/calls.ts'
import { chunkPatterns, chunks } from './build/chunks.ts'
import { compressed } from './build/compressed.ts'
import { firstScreen } from './build/first-screen.ts'
import { headFromTokens } from './build/head.ts'
import { installable } from './build/manifest.ts'
import { noneInVain } from './build/none-in-vain.ts'
import { pushWorker } from './build/push-worker.ts'
import { notKept, serviceWorker } from './build/worker.ts'

/** Where the calls go while developing: the portal itself, started with `make run`. */
const portal = process.env['PORTAL_URL'] ?? 'http://localhost:3000'

/** Old CommonJS that only unused parts of Emotion and MUI ask for. */
const withoutEffects = [/hoist-non-react-statics/, /react-is/]

export default defineConfig({
  plugins: [
    react(),
    headFromTokens(),
    firstScreen(),
    installable(),
    pushWorker(),
    serviceWorker(),
    noneInVain([...chunkPatterns, ...notKept, ...withoutEffects]),
    compressed(),
  ],
  build: {
    target: 'es2022',
    // There is one, small enough to stand in the page.
    cssCodeSplit: false,
    // Every browser of that target preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      treeshake: { moduleSideEffects: withoutEffects.map((test) => ({ test, sideEffects: false })) },
      output: { codeSplitting: { groups: chunks } },
    },
  },
  server: { proxy: toPortal(portal) },
})
