import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { leftOut, shakenRouter } from './build/left-out.ts'
import { dark, light } from './src/app/theme/tokens.ts'
import { foldPath, ribbonPaths } from './src/ui/brand-shape.ts'

const firstPaint = `:where(html){background:${light.paper};color-scheme:light}:where(html[data-scheme=dark]){background:${dark.paper};color-scheme:dark}`

const paths = [...ribbonPaths.map((d) => `<path d="${d}"/>`), `<path d="${foldPath}" opacity=".62"/>`].join('')
const iconStyle = `path{fill:${light.accent}}@media (prefers-color-scheme:dark){path{fill:${dark.accent}}}`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${iconStyle}</style>${paths}</svg>`
const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`

/** Colours of the first paint come from the tokens, and the two fonts of the first screen start loading with the page. */
const headFromTokens = (): Plugin => ({
  name: 'portal-head',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const preloaded = Object.keys(bundle ?? {}).filter((file) => /-latin-wght-normal-[^/]*\.woff2$/.test(file))
      return [
        { tag: 'link', attrs: { rel: 'icon', type: 'image/svg+xml', href: icon }, injectTo: 'head' as const },
        { tag: 'style', children: firstPaint, injectTo: 'head' as const },
        ...(['light', 'dark'] as const).map((scheme) => ({
          tag: 'meta',
          attrs: {
            name: 'theme-color',
            media: `(prefers-color-scheme: ${scheme})`,
            content: scheme === 'light' ? light.paper : dark.paper,
          },
          injectTo: 'head' as const,
        })),
        ...preloaded.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: '' },
          injectTo: 'head' as const,
        })),
      ]
    },
  },
})

/**
 * Leaves a .br and a .gz beside each file that gains by it; the gateway serves them to whoever accepts them. From the files as
 * written: until then Vite still changes them.
 */
const compressed = (): Plugin => ({
  name: 'portal-compressed',
  apply: 'build',
  writeBundle({ dir }, bundle) {
    if (dir === undefined) throw new Error('The build has no folder to write to')
    const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    for (const fileName of Object.keys(bundle)) {
      if (!/\.(?:js|css|svg)$/.test(fileName)) continue
      const file = join(dir, fileName)
      const text = readFileSync(file)
      if (text.length < 1024) continue
      writeFileSync(`${file}.br`, brotliCompressSync(text, { params: quality }))
      writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }))
    }
  },
})

/** Where the calls go while developing: the portal itself, started with `make run`. */
const portal = process.env['PORTAL_URL'] ?? 'http://localhost:3000'

/** A navigation gets the page, anything else the call: the same rule as the gateway's. */
const proxied = {
  target: portal,
  bypass: (request: { headers: { accept?: string | undefined }; url?: string | undefined }) =>
    request.headers.accept?.includes('text/html') ? '/index.html' : undefined,
}

/** Small pieces that most pages show, and none that brings a library of its own. */
const mostPages =
  /contracts\/src\/(shared|auth)\/|web\/src\/(lib\/(http|session|storage|landing|jotai)\.ts|ui\/(icons\/icon|(attention|brand|brand-shape|busy-button|page-title|visually-hidden)\.tsx?))|@mui\/material\/Link\//

/** And what they show to whoever is signed in. */
const signedInPages =
  /web\/src\/(lib\/use-answer\.ts|ui\/(relative-time|skeletons|skip-link|time|type-badge)\.tsx?)/

export default defineConfig({
  plugins: [react(), leftOut(), shakenRouter(), headFromTokens(), compressed()],
  build: {
    target: 'es2022',
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
            { name: 'base', tags: ['$initial'], test: /node_modules/, priority: 3 },
            { name: 'pieces', test: mostPages, priority: 2 },
            { name: 'signed-in', test: signedInPages, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: {
      '/socket.io': { target: portal, ws: true },
      '^/(auth|user|users|admin|programs|allprograms|notifications|api|health)(/|$)': proxied,
    },
  },
})
