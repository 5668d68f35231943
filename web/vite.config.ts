import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { toPortal } from './build/calls.ts'
import { compressed } from './build/compressed.ts'
import { firstScreen } from './build/first-screen.ts'
import { headFromTokens } from './build/head.ts'
import { leftOut, shakenRouter } from './build/left-out.ts'
import { installable } from './build/manifest.ts'
import { serviceWorker } from './build/worker.ts'

/** Where the calls go while developing: the portal itself, started with `make run`. */
const portal = process.env['PORTAL_URL'] ?? 'http://localhost:3000'

/** Small pieces that most pages show, and none that brings a library of its own. */
const mostPages =
  /contracts\/src\/(shared|auth)\/|web\/src\/(lib\/(http|session|storage|landing|jotai|use-online)\.ts|ui\/(icons\/icon|(attention|brand|brand-shape|busy-button|page-title|visually-hidden)\.tsx?))|@mui\/material\/Link\//

/** And what they show to whoever is signed in. */
const signedInPages = /web\/src\/(lib\/use-answer\.ts|ui\/(relative-time|skeletons|skip-link|time|type-badge)\.tsx?)/

/** The bar of the learners' pages, with the count that it bears. */
const learnersBar = /web\/src\/app\/layouts\/bottom-bar\.tsx/

/** What every form is made of. */
const fields = /web\/src\/ui\/text-field\.tsx/

export default defineConfig({
  plugins: [
    react(),
    leftOut(),
    shakenRouter(),
    headFromTokens(),
    firstScreen(),
    installable(),
    serviceWorker(),
    compressed(),
  ],
  build: {
    target: 'es2022',
    // There is one, small enough to stand in the page.
    cssCodeSplit: false,
    // Every browser of that target preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Old CommonJS that only unused parts of Emotion and MUI ask for.
      treeshake: { moduleSideEffects: [{ test: /hoist-non-react-statics|react-is/, sideEffects: false }] },
      output: {
        codeSplitting: {
          // Few files instead of dozens: the libraries that the first screen stands on, and what most pages share. The rest goes
          // with its page.
          groups: [
            { name: 'base', tags: ['$initial'], test: /node_modules|rolldown\/runtime|lib\/without-eval/, priority: 3 },
            { name: 'pieces', test: mostPages, priority: 2 },
            { name: 'signed-in', test: signedInPages, priority: 1 },
            { name: 'bottom-bar', test: learnersBar, priority: 1 },
            { name: 'fields', test: fields, priority: 1 },
          ],
        },
      },
    },
  },
  server: { proxy: toPortal(portal) },
})
