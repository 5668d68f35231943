import { expect, it } from 'vitest'
import { removeOpenedParameter } from './opened-parameter.ts'

const at = (address: string) => {
  const { pathname, search, hash } = new URL(address, 'http://portal')
  return removeOpenedParameter({ pathname, search, hash })
}

it('removes only the parameter from an address that a click has opened', () => {
  expect(at('/notification/n1?opened=push')).toBe('/notification/n1')
  expect(at('/notification?page=2&opened=push#top')).toBe('/notification?page=2#top')
})

it('returns null for an address without the parameter', () => {
  expect(at('/notification?page=2')).toBeNull()
  expect(at('/notification?opened=other')).toBeNull()
})
