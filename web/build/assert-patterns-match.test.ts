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

it('lets a build succeed if every pattern matches a module', async () => {
  await expect(buildWith([/build\/dev-proxy\.ts/])).resolves.toBeDefined()
})

it('fails the build with the pattern that matches no module', async () => {
  await expect(buildWith([/build\/dev-proxy\.ts/, /build\/renamed\.ts/])).rejects.toThrow(/renamed/)
})
