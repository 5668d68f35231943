import { limits } from '@portal/contracts/shared/rules'
import { expect, it } from 'vitest'
import { cutTitle } from './cut-title.ts'

it('cuts neither within a character nor within a placeholder', () => {
  const upTo = (chars: number, end: string) => `${'x'.repeat(limits.titleChars - chars)}${end}`
  expect(cutTitle(upTo(8, '{{name}}'))).toBe(upTo(8, '{{name}}'))
  expect(cutTitle(upTo(8, '{{name}} x'))).toBe(upTo(8, '{{name}}'))
  for (const chars of [2, 5, 7]) expect(cutTitle(upTo(chars, '{{name}}'))).toBe(upTo(chars, ''))
  expect(cutTitle(upTo(1, '📚'))).toBe(upTo(1, ''))
  expect(cutTitle('Braces {{')).toBe('Braces {{')
})
