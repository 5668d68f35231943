import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { colorVariables, logo } from './page-style.ts'

const read = (path: string): string => readFileSync(new URL(`../../../web/src/${path}`, import.meta.url), 'utf8')

/** `--ink-soft` → 'inkSoft' */
const camelCase = (name: string): string => name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

it("uses the client's colors, in both schemes", () => {
  const tokens = read('app/theme/tokens.ts')
  const schemes = ['light', 'dark'].map((scheme) => tokens.split(`export const ${scheme}: Colors = {`)[1] ?? '')
  const variables = [...colorVariables.matchAll(/--([\w-]+): (#\w+);/g)]
  expect(variables).toHaveLength(18)
  for (const [index, [, name = '', color = '']] of variables.entries()) {
    const scheme = schemes[index < 9 ? 0 : 1]
    expect([name, scheme?.match(new RegExp(`\\b${camelCase(name)}: '(#\\w+)'`))?.[1]]).toEqual([name, color])
  }
})

it("draws the client's logo", () => {
  const shape = read('ui/brand-shape.ts')
  const paths = [...logo.matchAll(/ d="([^"]+)"/g)].map(([, path = '']) => path)
  expect(paths).toHaveLength(3)
  for (const path of paths) expect(shape).toContain(path)
})
