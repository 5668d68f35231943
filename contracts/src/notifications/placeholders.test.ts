import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fillPlaceholders,
  maxValueChars,
  placeholderNames,
  placeholderOf,
  placeholdersIn,
  wrongPlaceholder,
} from './placeholders.ts'

const asha = { name: 'Asha Patel', program: 'Applied AI', code: 'MIN-2026-0007' }

describe('a placeholder', () => {
  it.each([
    [
      'Dear {{name}}, {{program}} starts. Your code: {{code}}',
      'Dear Asha Patel, Applied AI starts. Your code: MIN-2026-0007',
    ],
    ['{{ name }} and {{\tname\t}}', 'Asha Patel and Asha Patel'],
    ['{{name|learner}} in {{ program | a program }}', 'Asha Patel in Applied AI'],
    ['{{{name}}}', '{Asha Patel}'],
    ['{{name}}{{code}}', 'Asha PatelMIN-2026-0007'],
  ])('%j is filled with what the recipient has', (text, filled) => {
    expect(fillPlaceholders(text, asha)).toBe(filled)
  })

  it.each([
    ['Dear {{name}},', 'Dear learner,'],
    ['Dear {{name|student}},', 'Dear student,'],
    ['Dear {{name|}}, welcome', 'Dear, welcome'],
    ['{{program}} starts', 'your program starts'],
    ['Code {{code|not yet given}}', 'Code not yet given'],
    ['Use {{name|a | b}}', 'Use a | b'],
  ])('%j has its fallback, or reads well without', (text, filled) => {
    for (const values of [{}, { name: '', program: ' ', code: '' }]) expect(fillPlaceholders(text, values)).toBe(filled)
  })

  it.each([
    ['Your code {{code}} is ready', 'Your code is ready'],
    ['Your code is {{code}}.', 'Your code is.'],
    ['{{code}} is your code', 'is your code'],
    ['Your code: {{code}}', 'Your code:'],
    ['One\n  {{code}}  two', 'One\n  two'],
    ['One {{code}}\nTwo', 'One\nTwo'],
    ['{{code}}\nTwo', '\nTwo'],
    ['a {{code}} {{code}} b', 'a b'],
    ['{{code}}{{name}} x', 'learner x'],
    ['({{code}})', '()'],
    ['a-{{code}} b', 'a- b'],
    ['{{code}}', ''],
  ])('without a value, %j leaves no blanks behind', (text, filled) => {
    expect(fillPlaceholders(text, {})).toBe(filled)
  })

  it('takes a value as text, also one that looks like a placeholder', () => {
    expect(fillPlaceholders('{{name}} {{code}}', { name: '{{code}}$&', code: '{{name|x}}' })).toBe(
      '{{code}}$& {{name|x}}',
    )
  })
})

describe('what is no placeholder', () => {
  it.each(['{{ }}', '{{}}', '{name}', '{{ {name} }}', '{{-}}', '{{-|-}}', 'if (a) {{\n}}', 'the rename}} {{names'])(
    '%j stays as it is',
    (text) => {
      expect(wrongPlaceholder(text)).toBeUndefined()
      expect(fillPlaceholders(text, asha)).toBe(text)
      expect(placeholdersIn(text).size).toBe(0)
    },
  )
})

describe('an unknown placeholder', () => {
  it.each([
    ['Dear {{nmae}}', 'Unknown placeholder {{nmae}}. Did you mean {{name}}?'],
    ['{{ Name }}', 'Unknown placeholder {{Name}}. Did you mean {{name}}?'],
    ['{{name}} {{progam|x}}', 'Unknown placeholder {{progam}}. Did you mean {{program}}?'],
    ['{{codes}}', 'Unknown placeholder {{codes}}. Did you mean {{code}}?'],
    ['{{university}}', 'Unknown placeholder {{university}}.'],
    ['{{|learner}}', 'Unknown placeholder {{}}.'],
    ['{{नाम}}', 'Unknown placeholder {{नाम}}.'],
    [`{{${'x'.repeat(100)}}}`, `Unknown placeholder {{${'x'.repeat(39)}…}}.`],
  ])('%j is named, with the one that is meant', (text, message) => {
    expect(wrongPlaceholder(text)).toBe(message)
  })

  it.each([
    ['Dear {{name}, hello', 'name'],
    ['Dear {name}}, hello', 'name'],
    ['{{code}} {{ program', 'program'],
    ['code }} {{name}}', 'code'],
    ['{{name|{x}}}', 'name'],
    ['{program|yours}}', 'program'],
  ])('%j lacks a brace, and is not sent as it is', (text, name) => {
    expect(wrongPlaceholder(text)).toBe(`Incomplete placeholder. Did you mean {{${name}}}?`)
  })

  it('is empty where it cannot be refused any more', () => {
    expect(fillPlaceholders('Dear {{nickname}}, {{nickname|friend}}', asha)).toBe('Dear, friend')
  })
})

it('finds the placeholders of several texts', () => {
  expect([...placeholdersIn('{{code}} {{code|x}}', 'Dear {{ name }}, {{nmae}}')]).toEqual(['code', 'name'])
  expect(placeholderNames.map(placeholderOf).join(' ')).toBe('{{name}} {{program}} {{code}}')
})

describe('for any text', () => {
  const pieces = fc.oneof(
    fc.constantFrom('{{', '}}', '{', '}', '|', ' ', '\n', '.', 'name', 'code', '{{name}}', '{{code}}', '{{program|x}}'),
    fc.string({ unit: 'binary', maxLength: 5 }),
  )
  const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(''))
  const values = fc.record({ name: texts, program: texts, code: texts })

  it('without a placeholder, filling changes nothing', () => {
    fc.assert(
      fc.property(texts, values, (text, own) => {
        fc.pre(placeholdersIn(text).size === 0 && wrongPlaceholder(text) === undefined)
        expect(fillPlaceholders(text, own)).toBe(text)
      }),
    )
  })

  it('each value appears as it is, and the length is bounded', () => {
    fc.assert(
      fc.property(texts, values, (text, own) => {
        const marked = fillPlaceholders(text, { name: '\u{E000}', program: '\u{E001}', code: '\u{E002}' })
        fc.pre(!/[\u{E000}-\u{E002}]/u.test(text))
        const given = { name: own.name.trim() || 'n', program: own.program.trim() || 'p', code: own.code.trim() || 'c' }
        const byMark = new Map([
          ['\u{E000}', given.name],
          ['\u{E001}', given.program],
          ['\u{E002}', given.code],
        ])
        const filled = fillPlaceholders(text, given)
        expect(filled).toBe(marked.replaceAll(/[\u{E000}-\u{E002}]/gu, (mark) => byMark.get(mark) ?? ''))
        const count = [...marked].filter((character) => byMark.has(character)).length
        const long = 'x'.repeat(10 * maxValueChars)
        const longest = fillPlaceholders(text, { name: long, program: long, code: long })
        expect(longest.length).toBeLessThanOrEqual(text.length + count * maxValueChars)
      }),
    )
  })
})
