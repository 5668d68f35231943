import type { Plugin } from 'vite'
import { light } from '../src/app/theme/tokens.ts'

const iconFile = (src: string, sizes: string, purpose: 'any' | 'maskable') => ({
  src,
  sizes,
  purpose,
  type: src.endsWith('.svg') ? 'image/svg+xml' : 'image/png',
})

/** What a phone needs to know to install the portal. The dark scheme's colours are in the page's own theme-color. */
const manifest = {
  id: '/home',
  name: 'Minor Programs',
  short_name: 'Minor Programs',
  description: 'Programs, enrolment and notifications of the Minor certificate program.',
  lang: 'en-IN',
  start_url: '/home',
  scope: '/',
  display: 'standalone',
  background_color: light.paper,
  theme_color: light.paper,
  icons: [
    iconFile('/icons/icon.svg', 'any', 'any'),
    iconFile('/icons/icon-192.png', '192x192', 'any'),
    iconFile('/icons/icon-512.png', '512x512', 'any'),
    iconFile('/icons/maskable-192.png', '192x192', 'maskable'),
    iconFile('/icons/maskable-512.png', '512x512', 'maskable'),
  ],
  shortcuts: [
    {
      name: 'Notifications',
      url: '/notification',
      icons: [{ src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' }],
    },
  ],
}

export const installable = (): Plugin => ({
  name: 'portal-installable',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'asset', fileName: 'manifest.webmanifest', source: JSON.stringify(manifest) })
  },
  transformIndexHtml: () => [
    { tag: 'link', attrs: { rel: 'manifest', href: '/manifest.webmanifest' }, injectTo: 'head' },
    { tag: 'link', attrs: { rel: 'apple-touch-icon', href: '/icons/apple-touch-icon.png' }, injectTo: 'head' },
  ],
})
