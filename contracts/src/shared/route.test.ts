import { expect, it } from 'vitest'
import { buildUrl } from './route.ts'

it('fills in the parameters and omits unset query parameters', () => {
  const route = { path: '/a/:id/b/:idOfOther' } as const
  expect(buildUrl(route, { params: { id: 'x y', idOfOther: 1 }, query: { page: 2, limit: undefined } })).toBe(
    '/a/x%20y/b/1?page=2',
  )
  expect(buildUrl(route, { params: { id: 'a/..', idOfOther: '$&' } })).toBe('/a/a%2F../b/%24%26')
  expect(buildUrl({ path: '/things' })).toBe('/things')
})

it('rejects missing parameters', () => {
  expect(() => buildUrl({ path: '/things/:id' }, { params: {} })).toThrow("/things/:id needs 'id'")
})
