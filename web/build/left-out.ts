import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** What libraries bring along and this client never runs. Everybody who opens the log-in page would load it. */
const neverRun: readonly { readonly module: RegExp; readonly because: string }[] = [
  {
    module: /\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/,
    because: 'the server describes the calls',
  },
  { module: /\/@mui\/material\/ButtonBase\/TouchRipple\.mjs$/, because: 'the theme turns ripples off' },
  { module: /\/@mui\/material\/CircularProgress\/CircularProgress\.mjs$/, because: 'a busy button keeps its words' },
]

const emptied = (source: string): string => {
  const names = [...source.matchAll(/^export (?:async )?(?:const|function) (\w+)/gm)].map(([, name]) => name)
  return [
    ...names.map((name) => `export const ${name} = () => undefined`),
    ...(source.includes('export default') ? ['export default () => null'] : []),
  ].join('\n')
}

/** Leaves them out of the build: each keeps its exports, and they do nothing. */
export const leftOut = (): Plugin => ({
  name: 'portal-left-out',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (neverRun.some(({ module }) => module.test(id)) ? emptied(readFileSync(id, 'utf8')) : null),
})

/**
 * react-router names each of its components for React's developer tools, and thereby keeps even those that nobody imports. A
 * build needs no names, and without them what is not used goes.
 */
export const shakenRouter = (): Plugin => ({
  name: 'portal-shaken-router',
  apply: 'build',
  transform: {
    filter: { id: /\/react-router\/dist\// },
    handler: (code) => ({
      code: code
        .replaceAll(/^\w+\.displayName = "\w+";$/gm, '')
        .replaceAll(/= (React\d*)\.(forwardRef|createContext)\(/g, '= /* @__PURE__ */ $1.$2('),
      map: null,
    }),
  },
})
