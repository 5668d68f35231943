// @vitest-environment node
import { build } from 'vite'
import { expect, it } from 'vitest'
import { noneInVain } from './none-in-vain.ts'

const buildWith = (patterns: readonly RegExp[]) =>
  build({
    configFile: false,
    publicDir: false,
    logLevel: 'silent',
    plugins: [noneInVain(patterns)],
    build: { write: false, rolldownOptions: { input: new URL('./calls.ts', import.meta.url).pathname } },
  })

it('a build whose rules all fit a module goes through', async () => {
  await expect(buildWith([/build\/calls\.ts/])).resolves.toBeDefined()
})

it('a build with a rule for a module that is not there fails, and names it', async () => {
  await expect(buildWith([/build\/calls\.ts/, /build\/renamed\.ts/])).rejects.toThrow(/renamed/)
})
