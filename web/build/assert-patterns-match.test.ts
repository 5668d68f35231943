// @vitest-environment node
import { build } from 'vite'
import { expect, it } from 'vitest'
import { assertPatternsMatch } from './assert-patterns-match.ts'

const buildWith = (patterns: readonly RegExp[]) =>
  build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    plugins: [assertPatternsMatch(patterns)],
    build: { write: false, rolldownOptions: { input: new URL('./dev-proxy.ts', import.meta.url).pathname } },
  })

it('a build whose patterns all match a module succeeds', async () => {
  await expect(buildWith([/build\/dev-proxy\.ts/])).resolves.toBeDefined()
})

it('a build with a pattern that matches no module fails and names it', async () => {
  await expect(buildWith([/build\/dev-proxy\.ts/, /build\/renamed\.ts/])).rejects.toThrow(/renamed/)
})
