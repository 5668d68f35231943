import CssBaseline from '@mui/material/CssBaseline'
import { ThemeProvider } from '@mui/material/styles'
import { renderToStaticMarkup } from 'react-dom/server'
import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite'
import { theme } from '../src/app/theme/theme.ts'
import { dark, light } from '../src/app/theme/tokens.ts'
import { foldPath, ribbonPaths } from '../src/ui/brand-shape.ts'
import { bundleScript } from './bundle-script.ts'

const paths = [...ribbonPaths.map((d) => `<path d="${d}"/>`), `<path d="${foldPath}" opacity=".62"/>`].join('')
const iconStyle = `path{fill:${light.accent}}@media (prefers-color-scheme:dark){path{fill:${dark.accent}}}`
const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><style>${iconStyle}</style>${paths}</svg>`
const icon = `data:image/svg+xml,${encodeURIComponent(svg)}`

/**
 * The variables of the theme and the baseline styles, which MUI would otherwise generate in the browser. There, a phone would show
 * a blank screen for a tenth of a second.
 */
const criticalCss = (): string => {
  const markup = renderToStaticMarkup(
    <ThemeProvider theme={theme} noSsr>
      <CssBaseline enableColorScheme />
    </ThemeProvider>,
  )
  const sheets = [...markup.matchAll(/<style[^>]*>(.*?)<\/style>/gs)].map(([, sheet = '']) => sheet)
  if (sheets.length === 0) throw new Error('MUI generated no style sheet for the theme')
  return sheets.join('')
}

const inHead = (tag: string, rest: Omit<HtmlTagDescriptor, 'tag' | 'injectTo'>): HtmlTagDescriptor => ({
  tag,
  injectTo: 'head',
  ...rest,
})

const themeColor = (scheme: 'light' | 'dark'): HtmlTagDescriptor =>
  inHead('meta', {
    attrs: {
      name: 'theme-color',
      media: `(prefers-color-scheme: ${scheme})`,
      content: scheme === 'light' ? light.paper : dark.paper,
    },
  })

/** What the polyfill of `inert` would otherwise add, which the content security policy does not allow it. */
const inertCss =
  '[inert]{pointer-events:none;cursor:default}[inert],[inert] *{-webkit-user-select:none;user-select:none}'

/** Adds icon, critical CSS and theme colors to index.html. */
export const themeInHead = (): Plugin => ({
  name: 'portal-theme-in-head',
  transformIndexHtml: {
    order: 'post',
    handler: () => [
      inHead('link', { attrs: { rel: 'icon', type: 'image/svg+xml', href: icon } }),
      inHead('style', { children: criticalCss() }),
      inHead('style', { attrs: { id: 'inert-style' }, children: inertCss }),
      themeColor('light'),
      themeColor('dark'),
    ],
  },
})

/** The pages that links from outside open, with the modules that the router loads for each (src/app/router.tsx). */
const entryPages: Readonly<Record<string, readonly string[]>> = {
  '/login': ['app/layouts/auth-layout', 'app/routes/login-page'],
  '/register': ['app/layouts/auth-layout', 'app/routes/register-page'],
  '/home': ['app/layouts/landing-layout', 'app/routes/home/home-page'],
  '/notification': ['app/layouts/learner-layout', 'app/routes/inbox-page'],
  '/admin/dashboard': ['app/layouts/admin-layout', 'app/routes/admin/dashboard/dashboard-page'],
}

/** What a page loads in addition for signed-in users. */
const signedInPages: typeof entryPages = { '/home': ['app/routes/home/learner-home'] }

const sizeOf = (bundle: Rolldown.OutputBundle, name: string): number => {
  const chunk = bundle[name]
  return chunk?.type === 'chunk' ? chunk.code.length : 0
}

/** The chunks and what they import, each after its imports. The largest comes last, and what does not need it is executed before. */
const withImports = (bundle: Rolldown.OutputBundle, names: readonly string[]): ReadonlySet<string> => {
  const ordered = new Set<string>()
  const visited = new Set<string>()
  const visit = (name: string): void => {
    const chunk = bundle[name]
    if (visited.has(name) || chunk?.type !== 'chunk') return
    visited.add(name)
    for (const next of chunk.imports.toSorted((one, other) => sizeOf(bundle, one) - sizeOf(bundle, other))) visit(next)
    ordered.add(name)
  }
  for (const name of names) visit(name)
  return ordered
}

/** The files of the application and those of the page at each address, each after its imports. */
const applicationFiles = (bundle: Rolldown.OutputBundle) => {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const fileOf = (module: string): string => {
    const chunk = chunks.find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(`/src/${module}.tsx`)))
    if (!chunk) throw new Error(`The build has no chunk for ${module}`)
    return chunk.fileName
  }
  const [entry] = chunks.filter(({ isEntry }) => isEntry)
  if (!entry) throw new Error('The build has no entry')
  const initial = withImports(bundle, [entry.fileName])
  const ofPages = (pages: typeof entryPages) =>
    Object.fromEntries(
      Object.entries(pages).map(([path, modules]) => {
        const files = [...withImports(bundle, modules.map(fileOf))].filter((file) => !initial.has(file))
        return [path, files.map((file) => `/${file}`)]
      }),
    )
  return {
    initial: [...initial].map((file) => `/${file}`),
    byPath: ofPages(entryPages),
    signedInByPath: ofPages(signedInPages),
  }
}

const isPolyfills = (file: string): boolean => /^assets\/polyfills-[^/]*\.js$/.test(file)

const polyfillsIn = (bundle: Rolldown.OutputBundle): string => {
  const file = Object.keys(bundle).find(isPolyfills)
  if (file === undefined) throw new Error('The build has no polyfills')
  return file
}

/** Adds src/start/polyfills.ts as a file of its own, which browsers load that need it. */
export const polyfills = (): Plugin => ({
  name: 'portal-polyfills',
  apply: 'build',
  async buildStart() {
    this.emitFile({ type: 'asset', name: 'polyfills.js', source: await bundleScript('start/polyfills.ts') })
  },
})

const startScript = async (bundle: Rolldown.OutputBundle): Promise<string> => {
  const { initial, byPath, signedInByPath } = applicationFiles(bundle)
  const ofPage = `${JSON.stringify(byPath)}[location.pathname]||[]`
  const ofSignedIn = `globalThis.early?.session&&${JSON.stringify(signedInByPath)}[location.pathname]||[]`
  // The page is executed before React DOM has arrived, and the entry renders it.
  const [early, late] = [initial.slice(0, -2), initial.slice(-2)]
  const files = `[...new Set(${JSON.stringify(early)}.concat(${ofPage},${ofSignedIn},${JSON.stringify(late)}))]`
  const added = JSON.stringify(`/${polyfillsIn(bundle)}`)
  return `globalThis.applicationFiles=${files};globalThis.polyfillsFile=${added};${await bundleScript('start/start-after-paint.ts')}`
}

const inlineStyles = (html: string, bundle: Rolldown.OutputBundle): string =>
  html.replaceAll(/<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+\.css)">/g, (link, file: string) => {
    const style = bundle[file]
    return style?.type === 'asset' ? `<style>${String(style.source).trim()}</style>` : link
  })

/** What Vite adds for the entry and its imports; start-after-paint.ts loads them. */
const initialFiles =
  /<(?:script type="module"|link rel="modulepreload") crossorigin (?:src|href)="\/assets\/[^"]+">(?:<\/script>)?/g

/**
 * Inlines the style sheet, and loads the scripts of the application and of the requested page at the same time, before the
 * router runs. The gateway allows the inline scripts by their hashes.
 */
export const firstScreen = (): Plugin => ({
  name: 'portal-first-screen',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: async (html, { bundle = {} }) => ({
      html: inlineStyles(html, bundle).replaceAll(initialFiles, ''),
      tags: [{ tag: 'script', children: await startScript(bundle), injectTo: 'body' }],
    }),
  },
})

/** Inlines src/start/request-early.ts before everything else. */
export const earlyRequests = (): Plugin => ({
  name: 'portal-early-requests',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: async () => [
      { tag: 'script', children: await bundleScript('start/request-early.ts'), injectTo: 'head-prepend' },
    ],
  },
})
