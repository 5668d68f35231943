import type { Plugin } from 'vite'

/** Fails the build if a pattern of its configuration matches no module, for instance after a rename. */
export const assertPatternsMatch = (patterns: readonly RegExp[]): Plugin => ({
  name: 'portal-assert-patterns-match',
  apply: 'build',
  buildEnd(error) {
    if (error) return
    const modules = [...this.getModuleIds()]
    const unmatched = patterns.filter((pattern) => !modules.some((module) => pattern.test(module)))
    if (unmatched.length > 0) this.error(`Build patterns match no module: ${unmatched.join(' ')}`)
  },
})
