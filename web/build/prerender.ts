import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { createServer, type Plugin } from 'vite'

/** The pages that strangers open. The gateway serves them at these paths (services/gateway/src/serve-page.ts). */
const prerenderedPages = ['/login', '/home']

type RenderPage = typeof import('./render-page.tsx').renderPage

/** Renders pages in Node, with the modules of the application. */
const withRenderer = async (use: (render: RenderPage) => Promise<void>): Promise<void> => {
  const nothing = { getItem: () => null, removeItem: () => undefined }
  Object.assign(globalThis, { localStorage: nothing, sessionStorage: nothing })
  const server = await createServer({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    appType: 'custom',
    logLevel: 'warn',
    plugins: [react()],
    server: { middlewareMode: true, ws: false, watch: null },
    optimizeDeps: { noDiscovery: true },
  })
  try {
    const { renderPage }: { renderPage?: RenderPage } = await server.ssrLoadModule('/build/render-page.tsx')
    if (renderPage) await use(renderPage)
  } finally {
    await server.close()
  }
}

/** The headline of the landing page is in the display font. */
const isDisplayFont = (file: string): boolean => file.includes('bricolage')

const fontPreload = (file: string): string =>
  `<link rel="preload" as="font" type="font/woff2" href="/${file}" crossorigin fetchpriority="${isDisplayFont(file) ? 'high' : 'low'}">`

const root = '<div id="root"></div>'

/** Writes a copy of index.html for each page that strangers open, with what they see there: their scripts take seconds on a slow network. */
export const prerender = (): Plugin => ({
  name: 'portal-prerender',
  apply: 'build',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    async handler(_options, bundle) {
      const index = bundle['index.html']
      const page = index?.type === 'asset' ? String(index.source) : ''
      if (!page.includes(root)) throw new Error('The built index.html has no root')
      // Other pages have no text before their scripts, which the fonts would delay.
      const fonts = Object.keys(bundle).filter((file) => file.includes('-latin-wght-normal-'))
      const head = `${fonts.map(fontPreload).join('')}</head>`
      await withRenderer(async (render) => {
        for (const path of prerenderedPages) {
          const { html, style } = await render(path)
          const source = page
            .replace('</head>', head)
            .replace(root, () => `${style}<div id="root" data-path="${path}">${html}</div>`)
          this.emitFile({ type: 'asset', fileName: `pages${path}.html`, source })
        }
      })
    },
  },
})
