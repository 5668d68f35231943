import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repositoryRoot } from '../repository-root.ts'

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8')

/** Finds the path in a list of screens: `/programs/:id/preview` is there as `/programs/${…}/preview`. */
const listedForm = (path: string): RegExp => {
  const parts = path.split(/:[^/]+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`['\`]${parts.join(String.raw`\$\{[^}]+\}`)}['\`?]`)
}

/** A moved page only leads to another. */
const screens = [...read('web/src/app/router.tsx').matchAll(/<Route path="(\/[^"]+)" element={<(?!MovedPage)/g)].map(
  ([, path = '']) => path,
)

/** They show nothing that users have written. */
const withoutUserText = ['/terms', '/privacy', '/notifications/unsubscribe', '/admin/programs/new']

describe.each([
  ['web/e2e/screens.ts', 'axe and make screenshots', []],
  ['web/e2e/resilience.test.ts', 'a reload', []],
  ['services/system-tests/src/audit/render-hostile-texts.ts', 'hostile texts', withoutUserText],
])('%s (%s)', (file, _, exceptions) => {
  it('has every screen of the router', () => {
    const text = read(file)
    const isListed = (path: string) => listedForm(path).test(text)
    expect(screens.length).toBeGreaterThan(15)
    expect(
      screens.filter((path) => !isListed(path) && !exceptions.includes(path)),
      `screens missing in ${file}`,
    ).toEqual([])
  })
})
