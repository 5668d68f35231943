import type { Plugin } from 'vite'

const contractFile = /\/contracts\/src\/\w+\/(?:http|held-send)\.ts$/

/** What only the server and its documentation read: `summary`, `errors` and `headers` of a route. Each ends with a comma at the end of a line. */
const documentation = [
  /^ {2}summary:\s+(['"])(?:(?!\1)[^\\\n]|\\.)*\1,\n/gm,
  /^ {2}errors: (?:\[[^[\]]*\]|\w+),\n/gm,
  /^ {2}headers: \w+,\n/gm,
] as const

export const stripDocumentation = (source: string): string =>
  documentation.reduce((code, field) => code.replaceAll(field, ''), source)

/** Leaves the documentation of routes out of the client: several kilobytes that it does not use. */
export const withoutDocumentation = (): Plugin => ({
  name: 'without-documentation',
  enforce: 'pre',
  apply: 'build',
  transform: {
    filter: { id: contractFile },
    handler: (source) => ({ code: stripDocumentation(source), map: null }),
  },
})
