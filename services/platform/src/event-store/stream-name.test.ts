import { expect, test } from 'vitest'
import { categoryOf, checkStreamName, streamOf } from './stream-name.ts'

test('builds a stream name from category and id, and finds the category in it', () => {
  expect(streamOf('inbox', '0190c1de-0000')).toBe('inbox-0190c1de-0000')
  expect(categoryOf('inbox-0190c1de-0000')).toBe('inbox')
  expect(categoryOf('inbox')).toBe('inbox')
  expect(() => checkStreamName(streamOf('inbox', '0190c1de-0000'))).not.toThrow()
})
