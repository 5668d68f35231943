import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dataOf, shortened } from './push-data.ts'

const maxDataBytes = 3_600

const text = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', ' ', '"', '\n', 'ü', '€', '😀', '👩‍🎓', '\u0301', '\u0001'), maxLength })

const language = fc.constantFrom(undefined, 'hi')

const isCutOff = (some: string, whole: string): boolean => {
  const kept = some.slice(0, -1)
  const ends = [...new Intl.Segmenter().segment(whole)].map(({ index }) => index)
  return some.endsWith('…') && whole.startsWith(kept) && ends.includes(kept.length)
}

describe('the data of a push', () => {
  it('fits with any text, picture and language, and leaves short ones unchanged', () => {
    fc.assert(
      fc.property(
        text(200),
        text(5_000),
        fc.option(text(500), { nil: undefined }),
        language,
        (title, body, image, lang) => {
          const message = {
            notificationId: 'n'.repeat(36),
            title,
            body,
            url: `/notification/${'n'.repeat(36)}`,
            type: 'Exam',
            ...(image !== undefined && { image }),
            ...(lang !== undefined && { lang }),
          }
          const data = dataOf(message, maxDataBytes)
          const bytes = (value: object) => Buffer.byteLength(JSON.stringify(value))
          expect(bytes(data)).toBeLessThanOrEqual(maxDataBytes)
          const fits = bytes({ ...message, icon: data.icon }) <= maxDataBytes
          expect(data).toMatchObject({ ...(fits && { title, body }), ...(image && { image }), ...(lang && { lang }) })
        },
      ),
    )
  })
  it('is truncated at a grapheme, with an ellipsis', () => {
    fc.assert(
      fc.property(text(300), fc.integer({ min: -5, max: 1_000 }), (whole, maxBytes) => {
        const some = shortened(whole, maxBytes)
        expect(some.isWellFormed()).toBe(true)
        expect(some === whole || some === '' || isCutOff(some, whole)).toBe(true)
      }),
    )
  })
})
