import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin, Rolldown } from 'vite'
import { workerScript } from './worker-script.ts'

type ShellFile = { readonly url: string; readonly revision: string | null }

const source = fileURLToPath(new URL('../src/worker/offline.ts', import.meta.url))

/** What a learner's phone need not keep. */
export const notKept: readonly RegExp[] = [
  // Pages that are used at a desk, and their charts.
  /\/src\/app\/layouts\/admin-layout/,
  /\/src\/app\/routes\/admin\//,
  // The push provider's code: for those who have said yes to notifications, which need a network anyway.
  /\/src\/features\/push\/firebase/,
]

const isLeftOut = (module: string): boolean => notKept.some((pattern) => pattern.test(module))

/** Everything that the page loads, now or later, to show what learners see. */
const learnersChunks = (bundle: Rolldown.OutputBundle): ReadonlySet<string> => {
  const reached = new Set<string>()
  const visit = (name: string): void => {
    const chunk = bundle[name]
    if (reached.has(name) || chunk?.type !== 'chunk' || isLeftOut(chunk.facadeModuleId ?? '')) return
    reached.add(name)
    for (const next of [...chunk.imports, ...chunk.dynamicImports]) visit(next)
  }
  for (const chunk of Object.values(bundle)) if (chunk.type === 'chunk' && chunk.isEntry) visit(chunk.fileName)
  return reached
}

const revisionOf = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16)

/** A name under assets has a hash of its content in it, the others need one beside it. */
const shellOf = (bundle: Rolldown.OutputBundle, publicDir: string): ShellFile[] => {
  const chunks = learnersChunks(bundle)
  const built = Object.values(bundle).flatMap((file): ShellFile[] => {
    const url = `/${file.fileName}`
    if (file.type === 'chunk') return chunks.has(file.fileName) ? [{ url, revision: null }] : []
    if (/\.(css|woff2)$/.test(url)) return [{ url, revision: null }]
    return /\.(html|webmanifest)$/.test(url) ? [{ url, revision: revisionOf(file.source) }] : []
  })
  const icons = readdirSync(join(publicDir, 'icons')).map((name) => `icons/${name}`)
  const copied = ['colour-scheme.js', ...icons].map((name) => ({
    url: `/${name}`,
    revision: revisionOf(readFileSync(join(publicDir, name))),
  }))
  return [...built, ...copied]
}

/** Builds /sw.js last, when it is known which files there are. */
export const serviceWorker = (): Plugin => {
  let publicDir: string
  return {
    name: 'portal-service-worker',
    apply: 'build',
    enforce: 'post',
    configResolved: (config) => {
      publicDir = config.publicDir
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        this.emitFile({
          type: 'asset',
          fileName: 'sw.js',
          source: await workerScript(source, { SHELL_FILES: JSON.stringify(shellOf(bundle, publicDir)) }),
        })
      },
    },
  }
}
