import { describe, expect, it } from 'vitest'
import { inOrder, type Order } from './file-order.ts'

const files = [
  { project: 'backend', path: '/a.test.ts', size: 10 },
  { project: 'backend', path: '/b.test.ts', size: 30 },
  { project: 'backend', path: '/c.test.ts', size: 10 },
  { project: 'backend', path: '/e2e/accessibility-staff.test.ts', size: 1 },
  { project: 'web', path: '/d.test.ts', size: 20 },
]
const pathsIn = (order: Order, of = files) => inOrder(of, order, (file) => file).map(({ path }) => path)

describe('the order of test files', () => {
  it('goes project by project, and there begins with the long ones, then the large ones, then goes by name', () => {
    const usual = ['/e2e/accessibility-staff.test.ts', '/b.test.ts', '/a.test.ts', '/c.test.ts', '/d.test.ts']
    expect(pathsIn(undefined)).toEqual(usual)
    expect(pathsIn('reverse')).toEqual(usual.toReversed())
  })
  it('depends on the seed and on nothing else', () => {
    expect(pathsIn('7', files.toReversed())).toEqual(pathsIn('7'))
    expect(new Set(['1', '2', '3', '4', '5'].map((seed) => pathsIn(seed).join())).size).toBeGreaterThan(1)
  })
  it('never leaves a project and comes back', () => {
    for (const seed of ['1', '2', '3', '4', '5']) {
      const last = inOrder(files.toReversed(), seed, (file) => file).at(-1)
      expect(last?.project).toBe('web')
    }
  })
})
