import type { Plugin } from 'vite'

/**
 * The build treats some modules in ways of their own, by patterns of their paths. After a rename a pattern fits none, and would do
 * its work no longer without a word: the build fails instead.
 */
export const noneInVain = (patterns: readonly RegExp[]): Plugin => ({
  name: 'portal-none-in-vain',
  apply: 'build',
  buildEnd(error) {
    if (error) return
    const modules = [...this.getModuleIds()]
    const inVain = patterns.filter((pattern) => !modules.some((module) => pattern.test(module)))
    if (inVain.length > 0) this.error(`The build has rules for modules that are not there: ${inVain.join(' ')}`)
  },
})
