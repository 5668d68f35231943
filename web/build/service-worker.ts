import type { PluginOption, Rolldown } from 'vite'
import { VitePWA, type ManifestOptions } from 'vite-plugin-pwa'
import { light } from '../src/app/theme/tokens.ts'

export const serviceWorkerFile = 'sw.js'

const png = (src: string, sizes: string, purpose: 'any' | 'maskable' = 'any') => ({
  src,
  sizes,
  purpose,
  type: 'image/png',
})

/** Shown before the installation. `make screenshots MANIFEST=1` captures them. */
const screenshot = (form: 'narrow' | 'wide', sizes: string, label: string) => ({
  ...png(`/screenshots/${form}.png`, sizes),
  form_factor: form,
  label,
})

/** A manifest has only one set of colors. For dark mode, the page has its own theme-color. */
const manifest: Partial<ManifestOptions> = {
  id: '/home',
  name: 'Minor Programs',
  short_name: 'Minor Programs',
  description: 'Programs, enrollment and notifications of the Minor certificate program.',
  lang: 'en-IN',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: light.paper,
  theme_color: light.paper,
  icons: [
    { src: '/icons/icon.svg', sizes: 'any', purpose: 'any', type: 'image/svg+xml' },
    png('/icons/icon-192.png', '192x192'),
    png('/icons/icon-512.png', '512x512'),
    png('/icons/maskable-192.png', '192x192', 'maskable'),
    png('/icons/maskable-512.png', '512x512', 'maskable'),
  ],
  screenshots: [
    screenshot('narrow', '780x1688', 'Notifications on a phone'),
    screenshot('wide', '1280x800', 'The programs on a desktop'),
  ],
  shortcuts: [
    {
      name: 'Notifications',
      url: '/notification',
      icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
    },
  ],
}

/** Modules that a learner's phone does not need offline. */
export const notPrecached: readonly RegExp[] = [
  // Admin pages, which are used on desktops.
  /\/src\/app\/layouts\/admin-layout/,
  /\/src\/app\/routes\/admin\//,
  // The push provider's library needs a network.
  /\/src\/features\/push\/firebase/,
]

const isExcluded = (module: string): boolean => notPrecached.some((pattern) => pattern.test(module))

/** The chunks that learners' pages load, statically or dynamically. */
const learnerChunks = (bundle: Rolldown.OutputBundle): ReadonlySet<string> => {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const chunk = bundle[name]
    if (reached.has(name) || chunk?.type !== 'chunk' || isExcluded(chunk.facadeModuleId ?? '')) return
    reached.add(name)
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next)
  }
  for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) visit(chunk.fileName)
  return reached
}

/** Whether a file is neither a chunk of learners nor the polyfills, which are no chunk. */
const isOfAdmins = (file: string, learners: ReadonlySet<string>): boolean =>
  file.endsWith('.js') && !learners.has(file) && !file.startsWith('assets/polyfills-')

/** Builds the service worker (src/worker/sw.ts) with its precache list, and the web app manifest. */
export const serviceWorker = (): PluginOption => {
  let precachedChunks: ReadonlySet<string> = new Set()
  return [
    {
      name: 'portal-learner-chunks',
      apply: 'build',
      enforce: 'post',
      generateBundle: {
        order: 'post',
        handler(_options, bundle) {
          precachedChunks = learnerChunks(bundle)
        },
      },
    },
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/worker',
      filename: 'sw.ts',
      // The page registers the worker itself, once it is idle (src/main.tsx).
      injectRegister: false,
      manifest,
      includeManifestIcons: false,
      injectManifest: {
        // Classic, because not every browser supports modules in workers.
        rollupFormat: 'iife',
        injectionPoint: 'self.precachedFiles',
        globPatterns: ['index.html', 'assets/*.{js,css,woff2}', 'icons/*'],
        manifestTransforms: [
          (entries) => ({
            manifest: entries.filter(({ url }) => !isOfAdmins(url, precachedChunks)),
            warnings: [],
          }),
        ],
      },
    }),
  ]
}
