import fc from 'fast-check'
import { expect, it } from 'vitest'
import { normalizeText, searchWords } from './search-text.ts'

const finds = (q: string, text: string): boolean => {
  const searched = normalizeText(text)
  return searchWords(q).every((word) => searched.includes(word))
}

const joiners = /[\u200C\u200D]/g
const words = [
  'क्\u200Dष',
  'क्\u200Cष',
  'शुल्क',
  'ज़रूरी',
  'தேர்வு',
  'கொடு',
  'পরীক্ষা',
  'কো',
  'পড়া',
  'അവന്\u200D',
  'ప్రశ్న',
  'ಪರೀಕ್ಷೆ',
  'ਪੜ੍ਹਾਈ',
  'ଓଡ଼ିଆ',
]

it('finds words of Indian scripts with and without joiners, composed and decomposed', () => {
  const spellingsOf = (word: string) =>
    fc
      .tuple(fc.boolean(), fc.constantFrom('NFC', 'NFD', 'NFKC', 'NFKD'))
      .map(([isJoined, form]) => (isJoined ? word : word.replaceAll(joiners, '')).normalize(form))
  const pairs = fc.constantFrom(...words).chain((word) => fc.tuple(spellingsOf(word), spellingsOf(word)))
  fc.assert(
    fc.property(pairs, ([q, text]) => {
      expect(finds(q, text)).toBe(true)
    }),
  )
})

it.each([
  ['resume', 'Résumé'],
  ['RÉSUMÉ', 'resume'],
  ['फीस', 'फ़ीस'],
  ['അവൻ', 'അവന്\u200D'],
  ['അവന്\u200D', 'അവൻ'],
  ['উৎসব', 'উত্\u200Dসব'],
  ['کتاب', 'کِتاب'],
])('finds with %s the text %s', (q, text) => expect(finds(q, text)).toBe(true))

it.each([
  ['कल', 'कुल'],
  ['किल', 'कल'],
  ['कल्म', 'कलम'],
  ['கலி', 'கல்'],
  ['பட', 'பாடு'],
  ['कम', 'कर्म'],
])('does not find with %s the other word %s', (q, text) => expect(finds(q, text)).toBe(false))
