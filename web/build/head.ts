import type { Plugin } from 'vite'
import { dark, light } from '../src/app/theme/tokens.ts'
import { foldPath, ribbonPaths } from '../src/ui/brand-shape.ts'
import { groundStyles } from './ground-styles.tsx'

const paths = [...ribbonPaths.map((d) => `<path d="${d}"/>`), `<path d="${foldPath}" opacity=".62"/>`].join('')
const iconStyle = `path{fill:${light.accent}}@media (prefers-color-scheme:dark){path{fill:${dark.accent}}}`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${iconStyle}</style>${paths}</svg>`
const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`

/** The styles of the ground come from the theme, and the two fonts of the first screen start loading with the page. */
export const headFromTokens = (): Plugin => ({
  name: 'portal-head',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const preloaded = Object.keys(bundle ?? {}).filter((file) => /-latin-wght-normal-[^/]*\.woff2$/.test(file))
      return [
        { tag: 'link', attrs: { rel: 'icon', type: 'image/svg+xml', href: icon }, injectTo: 'head' as const },
        { tag: 'style', children: groundStyles(), injectTo: 'head' as const },
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
          // After the scripts: until those have run there is no text to set.
          attrs: {
            rel: 'preload',
            as: 'font',
            type: 'font/woff2',
            href: `/${file}`,
            crossorigin: '',
            fetchpriority: 'low',
          },
          injectTo: 'head' as const,
        })),
      ]
    },
  },
})
