import fc from 'fast-check'
import { expect, it } from 'vitest'
import { groupedAsInIndia, groupedByThree } from './number-format.ts'

it.each([
  ['en-US', groupedByThree, '1,234,567'],
  ['en-IN', groupedAsInIndia, '12,34,567'],
])('writes any whole number as the browser does for %s', (locale, format, example) => {
  expect(format(1_234_567)).toBe(example)
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      expect(format(count)).toBe(count.toLocaleString(locale))
    }),
  )
})
