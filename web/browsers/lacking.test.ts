import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { knownApis, nameOf } from './lacking.ts'
import { oldestBrowsers, polyfilled } from './supported.ts'

const lacking = new Set(knownApis.filter(({ isSupported }) => !isSupported).map(nameOf))

it.each(['AbortSignal.any', 'Array.toSorted', 'Iterator', 'Object.groupBy', 'Response.json', 'requestIdleCallback'])(
  '[E3] %s is missing in a supported browser',
  (name) => expect(lacking).toContain(name),
)

it.each(['AbortController', 'Array.at', 'Promise.any', 'Response.prototype.json', 'fetch', 'structuredClone'])(
  '[E3] %s is in all supported browsers',
  (name) => {
    expect(knownApis.map(nameOf)).toContain(name)
    expect(lacking).not.toContain(name)
  },
)

it('adds only what is missing', () => {
  expect(polyfilled.filter((name) => !lacking.has(name))).toEqual([])
})

it('[E3] the README names the browsers', () => {
  const { chrome, firefox, safari } = oldestBrowsers
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  expect(readme).toContain(`Safari ${safari}, Chrome and Edge ${chrome}, Firefox ${firefox}`)
})
