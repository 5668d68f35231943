import type { Plugin } from 'vite'

const summary = /(?<=^ {2}summary:\s+)(?:'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")(?=,$)/gm

/** The source of a module of routes with empty summaries. */
export const withoutSummaries = (source: string): string => source.replaceAll(summary, "''")

/** What a route is for is in the server's documentation of the API. No page needs the words. */
export const shortRoutes = (): Plugin => {
  let routes = 0
  return {
    name: 'portal-short-routes',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/contracts\/src\/\w+\/http\.ts$/ },
      handler: (code) => {
        const short = withoutSummaries(code)
        if (short !== code) routes += 1
        return { code: short, map: null }
      },
    },
    buildEnd(error) {
      if (!error && routes === 0)
        this.error('The routes have other summaries than web/build/without-summaries.ts expects')
    },
  }
}
