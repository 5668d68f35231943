import { expect, it } from 'vitest'
import { buildUrl } from './route.ts'

it('fills the parameters, and leaves out of the query what is not set', () => {
  const route = { path: '/a/:id/b/:idOfOther' } as const
  expect(buildUrl(route, { params: { id: 'x y', idOfOther: 1 }, query: { page: 2, limit: undefined } })).toBe(
    '/a/x%20y/b/1?page=2',
  )
  expect(buildUrl(route, { params: { id: 'a/..', idOfOther: '$&' } })).toBe('/a/a%2F../b/%24%26')
  expect(buildUrl({ path: '/things' })).toBe('/things')
})

it('is not made of less than it needs', () => {
  expect(() => buildUrl({ path: '/things/:id' }, { params: {} })).toThrow("/things/:id needs 'id'")
})
