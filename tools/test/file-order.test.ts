import { describe, expect, it } from 'vitest'
import { inOrder, type Order } from './file-order.ts'

const files = [
  { path: '/a.test.ts', size: 10 },
  { path: '/b.test.ts', size: 30 },
  { path: '/c.test.ts', size: 10 },
  { path: '/e2e/accessibility-staff.test.ts', size: 1 },
]
const pathsIn = (order: Order, of = files) => inOrder(of, order, (file) => file).map(({ path }) => path)

describe('the order of test files', () => {
  it('begins with the long ones, then the large ones, then goes by name', () => {
    const usual = ['/e2e/accessibility-staff.test.ts', '/b.test.ts', '/a.test.ts', '/c.test.ts']
    expect(pathsIn(undefined)).toEqual(usual)
    expect(pathsIn('reverse')).toEqual(usual.toReversed())
  })
  it('depends on the seed and on nothing else', () => {
    expect(pathsIn('7', files.toReversed())).toEqual(pathsIn('7'))
    expect(new Set(['1', '2', '3', '4', '5'].map((seed) => pathsIn(seed).join())).size).toBeGreaterThan(1)
  })
})
