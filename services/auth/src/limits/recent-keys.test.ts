import { expect, test } from 'vitest'
import { createRecentKeys } from './recent-keys.ts'

test('the keys noted last are there, and no more than fit', () => {
  const keys = createRecentKeys(2)
  for (const key of ['a', 'b', 'a', 'c']) keys.note(key)
  expect(['a', 'b', 'c'].map((key) => keys.has(key))).toEqual([true, false, true])
})
