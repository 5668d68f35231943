import { expect, test } from 'vitest'
import { linkOriginOf } from './link-origin.ts'

test('links lead to the configured origin, or to localhost', () => {
  expect(linkOriginOf({ publicOrigin: 'https://portal.example', port: 3_000 })).toBe('https://portal.example')
  expect(linkOriginOf({ publicOrigin: undefined, port: 8_080 })).toBe('http://localhost:8080')
})
