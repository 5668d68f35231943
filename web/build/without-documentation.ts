import type { Plugin } from 'vite'

const contractFile = /\/contracts\/src\/\w+\/http\.ts$/

/** What only the API documentation reads: `summary` and `errors` of a route. Both end with a comma at the end of a line. */
const documentation = [/^ {2}summary:\s+(['"])(?:(?!\1)[^\\\n]|\\.)*\1,\n/gm, /^ {2}errors: \[[^[\]]*\],\n/gm] as const

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
