import { expect, test } from 'vitest'
import { categoryOf, checkStreamName, streamOf } from './stream-name.ts'

test('a stream is its category and an id, and the category is found again', () => {
  expect(streamOf('inbox', '0190c1de-0000')).toBe('inbox-0190c1de-0000')
  expect(categoryOf('inbox-0190c1de-0000')).toBe('inbox')
  expect(categoryOf('inbox')).toBe('inbox')
  expect(() => checkStreamName(streamOf('inbox', '0190c1de-0000'))).not.toThrow()
})
