import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

type LeftOut = {
  readonly module: RegExp
  readonly because: string
  /** Exports that are called all the same: what they return is what never runs. */
  readonly makers?: readonly string[]
}

/** What libraries bring along and this client never runs. Everybody who opens the log-in page would load it. */
export const neverRun: readonly LeftOut[] = [
  {
    module: /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/,
    because: 'the server describes the calls',
    makers: ['createToJSONSchemaMethod', 'createStandardJSONSchemaMethod'],
  },
  { module: /\/@mui\/material\/ButtonBase\/TouchRipple\.mjs$/, because: 'the theme turns ripples off' },
  { module: /\/@mui\/material\/CircularProgress\/CircularProgress\.mjs$/, because: 'a busy button keeps its words' },
]

export const leftOutPatterns: readonly RegExp[] = neverRun.map(({ module }) => module)

const exportedNames = (source: string): readonly string[] => [
  ...[...source.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].flatMap(([, name]) => name ?? []),
  ...[...source.matchAll(/^export \{([^}]*)\};/gm)].flatMap(([, list = '']) =>
    list.split(',').map((entry) => entry.trim().split(' as ').at(-1) ?? ''),
  ),
]

/** A module with the same exports. Whoever runs one after all is told what became of it, in a build as in a test of one. */
export const stubOf = (source: string, { module, because, makers = [] }: LeftOut): string => {
  const text = `The build leaves this out, as ${because}: ${module.source} in web/build/left-out.ts`
  const stubs = exportedNames(source).map((name, index) => ({ name, local: `stub${index}` }))
  return [
    `const leftOut = () => { throw new Error(${JSON.stringify(text)}) }`,
    ...stubs.map(({ name, local }) => `const ${local} = ${makers.includes(name) ? '() => leftOut' : 'leftOut'}`),
    ...(stubs.length > 0 ? [`export { ${stubs.map(({ name, local }) => `${local} as ${name}`).join(', ')} }`] : []),
    ...(source.includes('export default') ? ['export default leftOut'] : []),
  ].join('\n')
}

export const leftOut = (): Plugin => ({
  name: 'portal-left-out',
  apply: 'build',
  enforce: 'pre',
  load: (id) => {
    const rule = neverRun.find(({ module }) => module.test(id))
    return rule ? stubOf(readFileSync(id, 'utf8'), rule) : null
  },
})

/**
 * react-router names each of its components for React's developer tools, and thereby keeps even those that nobody imports. A
 * build needs no names, and without them what is not used goes.
 */
export const shakenRouter = (): Plugin => {
  const found = { names: 0, makings: 0 }
  return {
    name: 'portal-shaken-router',
    apply: 'build',
    transform: {
      filter: { id: /\/react-router\/dist\// },
      handler: (code) => ({
        code: code
          .replaceAll(/^\w+\.displayName = "\w+";$/gm, () => {
            found.names += 1
            return ''
          })
          .replaceAll(/= (React\d*)\.(forwardRef|createContext)\(/g, (_all, react: string, make: string) => {
            found.makings += 1
            return `= /* @__PURE__ */ ${react}.${make}(`
          }),
        map: null,
      }),
    },
    buildEnd(error) {
      if (error || (found.names > 0 && found.makings > 0)) return
      this.error('react-router is written in another way than web/build/left-out.ts expects')
    },
  }
}
