import fc from 'fast-check'
import { expect, it } from 'vitest'
import { email, limits, optionalLine, optionalText, requiredLine, requiredText } from './rules.ts'

const messagesFor = (value: string): readonly string[] =>
  email.safeParse(value).error?.issues.map(({ message }) => message) ?? []

it('an e-mail address is accepted up to its maximum length, and rejected beyond it', () => {
  const domain = '@example.com'
  const longest = `${'a'.repeat(limits.emailChars - domain.length)}${domain}`
  expect(messagesFor(longest)).toEqual([])
  expect(messagesFor(`a${longest}`)).toEqual(['Please enter a valid email address'])
})

it('a long text that almost matches an e-mail address is rejected quickly', () => {
  // Matching the pattern would take minutes, far beyond the test timeout.
  expect(messagesFor(`a@${'.'.repeat(300_000)}@`)).toEqual(['Please enter a valid email address'])
})

const name = requiredText('Name', limits.nameChars)

/** Zero-width space, joiners, soft hyphen, mark and override of direction, byte order mark, fillers, variation selector, braille. */
const unseen = [
  0x20_0b, 0x20_0c, 0x20_0d, 0xad, 0x20_0f, 0x20_2e, 0xfe_ff, 0x31_64, 0xff_a0, 0xfe_0f, 0x28_00, 0xe_00_20,
]
const nothingSeen = fc
  .array(fc.constantFrom(' ', '\n', ...unseen.map((code) => String.fromCodePoint(code))), { maxLength: 20 })
  .map((characters) => characters.join(''))

it('a text of invisible characters only counts as empty', () => {
  fc.assert(
    fc.property(nothingSeen, (text) => {
      expect(name.safeParse(text).error?.issues.map(({ message }) => message)).toEqual(['Name is required'])
      expect(optionalText('Detail', limits.detailChars).parse(text)).toBe('')
    }),
  )
})

it('a text keeps its joining characters', () => {
  const texts = ['क्‍ष', 'می‌خواهم', '👩‍💻', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'Nå']
  expect(texts.map((text) => name.safeParse(text).data)).toEqual(texts)
})

const line = requiredLine('Name', limits.nameChars)
const messagesOf = (text: string): readonly string[] =>
  line.safeParse(text).error?.issues.map(({ message }) => message) ?? []

it('names of all scripts are one line', () => {
  const texts = [
    'Asha Verma',
    "Renée O'Neill-Müller",
    'क्‍षमा शर्मा',
    'आशा वर्मा',
    'می‌خواهم',
    'ශ්‍රී',
    'ന്‍',
    '葛󠄀城',
    'محمد',
    'Tools 👩‍💻 ☺️ 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 👍🏽',
  ]
  for (const schema of [line, optionalLine('Name', limits.nameChars)])
    expect(texts.map((text) => schema.safeParse(text).data)).toEqual(texts)
})

it('texts with hidden characters are not one line', () => {
  const texts = [
    '\u202Enimda',
    'Ad\u2066min\u2069',
    'Admin\u200F',
    'Ad\u200Bmin',
    'Ad\u200Cmin',
    'Ad\u00ADmin',
    'आ\u200D\u200Dशा',
    'आशा\u200D Admin',
    'Ad\uFE0Fmin',
    'Ad\u{E0041}min',
  ]
  expect(texts.map((text) => [text, ...messagesOf(text)])).toEqual(
    texts.map((text) => [text, 'Name must not contain hidden characters']),
  )
})

it('a multi-line text accepts line breaks', () => {
  expect(requiredText('Message', limits.messageChars).parse('two\nlines')).toBe('two\nlines')
})
