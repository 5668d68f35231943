import { expect, it } from 'vitest'
import { languageOf } from './text-language.ts'

it('marks a text with Devanagari letters, and leaves others in the language of the page', () => {
  expect(languageOf('परीक्षा केंद्र')).toBe('hi')
  expect(languageOf('Exam in परीक्षा केंद्र')).toBe('hi')
  expect(languageOf('Exam center, Pune')).toBeUndefined()
  expect(languageOf('')).toBeUndefined()
})
