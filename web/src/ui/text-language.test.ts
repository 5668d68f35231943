import { expect, it } from 'vitest'
import { languageOf } from './text-language.ts'

it('marks a text that is mostly in Devanagari or Urdu, and leaves others in the language of the page', () => {
  expect(languageOf('परीक्षा केंद्र')).toBe('hi')
  expect(languageOf('Exam: परीक्षा केंद्र, 10:00')).toBe('hi')
  expect(languageOf('امتحان (AI) 10:00')).toBe('ur')
  expect(languageOf('The exam center (केंद्र) is in Pune')).toBeUndefined()
  expect(languageOf('Exam center, Pune')).toBeUndefined()
  expect(languageOf('১২৩ தேர்வு')).toBeUndefined()
  expect(languageOf('')).toBeUndefined()
})
