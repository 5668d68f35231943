import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** Pages that people come to from outside, by what the router loads for them (src/app/router.tsx). */
const entrances: Readonly<Record<string, readonly string[]>> = {
  '/login': ['app/layouts/auth-layout', 'app/routes/login-page'],
  '/register': ['app/layouts/auth-layout', 'app/routes/register-page'],
  '/home': ['app/layouts/landing-layout', 'app/routes/home/home-page'],
  '/notification': ['app/layouts/learner-layout', 'app/routes/notifications-page'],
}

const withImports = (bundle: Rolldown.OutputBundle, names: readonly string[]): ReadonlySet<string> => {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const chunk = bundle[name]
    if (reached.has(name) || chunk?.type !== 'chunk') return
    reached.add(name)
    for (const next of chunk.imports) visit(next)
  }
  for (const name of names) visit(name)
  return reached
}

const filesByPath = (bundle: Rolldown.OutputBundle): Readonly<Record<string, readonly string[]>> => {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const fileOf = (module: string): string => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/${module}.tsx`))
    if (!chunk) throw new Error(`The router loads no ${module}`)
    return chunk.fileName
  }
  const inPage = withImports(
    bundle,
    chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
  )
  const more = (modules: readonly string[]) =>
    [...withImports(bundle, modules.map(fileOf))].filter((file) => !inPage.has(file)).map((file) => `/${file}`)
  return Object.fromEntries(Object.entries(entrances).map(([path, modules]) => [path, more(modules)]))
}

const preloads = (bundle: Rolldown.OutputBundle): string =>
  `(${JSON.stringify(filesByPath(bundle))}[location.pathname]||[]).forEach(function(file){` +
  `var link=document.createElement('link');link.rel='modulepreload';link.href=file;document.head.appendChild(link)})`

const withoutComments = (script: string): string => script.replaceAll(/\/\*.*?\*\//gs, '').trim()

/**
 * Spares the first screen its waits on a slow network: what is small and needed before anything can be painted stands in the page
 * itself, and the script of the page that is asked for starts loading with it, not after the router has run. The gateway
 * allows these very scripts by their hashes.
 */
export const firstScreen = (): Plugin => {
  let publicDir: string
  return {
    name: 'portal-first-screen',
    apply: 'build',
    configResolved: (config) => {
      publicDir = config.publicDir
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { bundle = {} }) => {
        const scheme = withoutComments(readFileSync(join(publicDir, 'colour-scheme.js'), 'utf8'))
        return {
          html: html
            .replace('<script src="/colour-scheme.js"></script>', () => `<script>${scheme}</script>`)
            .replaceAll(/<link rel="stylesheet"[^>]* href="\/(assets\/[^"]+\.css)">/g, (link, file: string) => {
              const style = bundle[file]
              return style?.type === 'asset' ? `<style>${String(style.source).trim()}</style>` : link
            }),
          tags: [{ tag: 'script', children: preloads(bundle), injectTo: 'head' }],
        }
      },
    },
  }
}
