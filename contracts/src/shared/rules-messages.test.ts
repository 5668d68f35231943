import { describe, expect, it, test } from 'vitest'
import type { z } from 'zod'
import {
  atLeastOneCode,
  email,
  limits,
  mobileNumber,
  newPassword,
  oneTimeCode,
  optionalLine,
  optionalText,
  passwordsDoNotMatch,
  requiredLine,
  requiredText,
  strongPassword,
  typedPassword,
} from './rules.ts'

/** All error messages of a value, so that a lost or duplicate rule is noticed. */
const messagesOf = (schema: z.ZodType, value: unknown): readonly string[] =>
  schema.safeParse(value).error?.issues.map(({ message }) => message) ?? []

const name = requiredText('Name', limits.nameChars)
const detail = optionalText('Detail', limits.detailChars)

describe('a required text', () => {
  it('is trimmed, and accepts as many characters as its limit', () => {
    expect(name.parse('  Ada \n')).toBe('Ada')
    expect(messagesOf(name, 'x'.repeat(limits.nameChars))).toEqual([])
  })

  it.each([
    ['nothing', undefined, 'Name is required'],
    ['another type', 5, 'Name is required'],
    ['empty', '', 'Name is required'],
    ['white space', ' \t\n', 'Name is required'],
    ['too long', 'x'.repeat(limits.nameChars + 1), 'Name must be at most 120 characters'],
    ['a control character', 'a\u0007b', 'Name must not contain control characters'],
  ])('rejects %s', (_what, value, message) => {
    expect(messagesOf(name, value)).toEqual([message])
  })

  it('can have its own message for empty input', () => {
    expect(messagesOf(requiredText('Title', 10, 'Please enter a title'), undefined)).toEqual(['Please enter a title'])
    expect(messagesOf(requiredText('Title', 10, 'Please enter a title'), ' ')).toEqual(['Please enter a title'])
  })

  it.each(['a\tb', 'a\nb', 'a\r\nb'])('keeps tabs and line breaks: %j', (text) => {
    expect(name.parse(text)).toBe(text)
  })
})

describe('an optional text', () => {
  it('is trimmed, may be empty, and accepts as many characters as its limit', () => {
    expect(detail.parse('  text ')).toBe('text')
    expect(detail.parse('')).toBe('')
    expect(messagesOf(detail, 'x'.repeat(limits.detailChars))).toEqual([])
  })

  it('uses its default if absent', () => {
    expect(detail.parse(undefined)).toBe('')
    expect(optionalText('Fee', 10, '1000').parse(undefined)).toBe('1000')
  })

  it.each([
    ['another type', 5, 'Detail must be text'],
    ['too long', 'x'.repeat(limits.detailChars + 1), 'Detail must be at most 5000 characters'],
    ['a control character', 'a\u0000b', 'Detail must not contain control characters'],
  ])('rejects %s', (_what, value, message) => {
    expect(messagesOf(detail, value)).toEqual([message])
  })
})

describe('a text of one line', () => {
  const line = requiredLine('Name', limits.nameChars)
  const optional = optionalLine('Fee', limits.shortTextChars)

  it('is a required or an optional text as well', () => {
    expect(messagesOf(line, ' ')).toEqual(['Name is required'])
    expect(messagesOf(requiredLine('Title', 10, 'Please enter a title'), ' ')).toEqual(['Please enter a title'])
    expect(optional.parse(undefined)).toBe('')
    expect(optionalLine('Fee', 10, '1000').parse(undefined)).toBe('1000')
    expect(messagesOf(optional, 5)).toEqual(['Fee must be text'])
    expect(messagesOf(optional, 'x'.repeat(limits.shortTextChars + 1))).toEqual(['Fee must be at most 200 characters'])
    expect(messagesOf(optional, 'a\u0000b')).toEqual(['Fee must not contain control characters'])
  })

  it.each(['a\tb', 'a\nb', 'a\rb', 'a\u2028b', 'a\u2029b'])('is one line: %j', (text) => {
    expect(messagesOf(line, text)).toContain('Name must be one line')
    expect(messagesOf(optional, text)).toContain('Fee must be one line')
  })

  it.each(['👍', '👍🏽', '❤️', '❤️‍🔥', '👨‍👩‍👧‍👦', '👩🏽‍🤝‍👨🏿', '👩🏽‍❤️‍💋‍👨🏿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '0️⃣9️⃣#️⃣*️⃣', '葛\u{E0100}飾', '㐂\uFE00', 'ക്\u200D'])(
    'accepts %s as part of a character',
    (text) => {
      expect(line.parse(text)).toBe(text)
      expect(optional.parse(`a ${text} b`)).toBe(`a ${text} b`)
    },
  )

  it.each([
    'a\u200Db',
    '👍\u200D',
    '\u200D👍',
    '👩‍💻\u200B',
    '👍\uFE0F\uFE0F',
    '1\uFE0F',
    'a\uFE0F\u20E3',
    'a\u{E0100}',
    '\u{E0067}\u{E007F}',
    '🏴\u{E007F}',
    '🏴\u{E0067}',
    '1葛\u{E0100}\uFE0F\u20E3',
    '1\u094D\u200D\uFE0F\u20E3',
  ])('rejects hidden characters: %j', (text) => {
    expect(messagesOf(line, `x${text}x`)).toEqual(['Name must not contain hidden characters'])
    expect(messagesOf(optional, `x${text}x`)).toEqual(['Fee must not contain hidden characters'])
  })
})

describe('an e-mail address', () => {
  it('is trimmed and lowercased', () => {
    expect(email.parse(' Ada.Lovelace@Example.COM ')).toBe('ada.lovelace@example.com')
  })

  const notValid = 'Please enter a valid email address'
  it.each([
    ['nothing', undefined, ['Email is required']],
    ['another type', 5, ['Email is required']],
    ['empty', '', ['Email is required', notValid]],
    ['no at sign', 'ada.example.com', [notValid]],
    ['two at signs', 'ada@@example.com', [notValid]],
    ['no dot', 'ada@example', [notValid]],
    ['a word before it', 'to ada@example.com', [notValid]],
    ['a word behind it', 'ada@example.com now', [notValid]],
    ['a control character', 'a\u0000da@example.com', [notValid]],
  ])('rejects %s', (_what, value, messages) => {
    expect(messagesOf(email, value)).toEqual(messages)
  })
})

describe('a mobile number', () => {
  it('has ten digits', () => {
    expect(mobileNumber.parse('9876543210')).toBe('9876543210')
  })

  const notTen = 'Mobile number must be exactly 10 digits'
  it.each([
    ['nothing', undefined, ['Mobile number is required']],
    ['a number', 9_876_543_210, ['Mobile number is required']],
    ['empty', '', ['Mobile number is required', notTen]],
    ['nine digits', '987654321', [notTen]],
    ['eleven digits', '98765432100', [notTen]],
    ['something before it', '+9876543210', [notTen]],
    ['something behind it', '9876543210x', [notTen]],
    ['letters', 'abcdefghij', [notTen]],
  ])('rejects %s', (_what, value, messages) => {
    expect(messagesOf(mobileNumber, value)).toEqual(messages)
  })
})

describe('a one-time code', () => {
  it('has six digits', () => {
    expect(oneTimeCode.parse('012345')).toBe('012345')
  })

  it.each([undefined, 12_345, '', '12345', '1234567', 'x123456', '123456x', 'abcdef'])('rejects %j', (value) => {
    expect(messagesOf(oneTimeCode, value)).toEqual(['OTP must be exactly 6 digits'])
  })
})

describe('a new password', () => {
  it.each(['Aa1!aaaa', 'aaaa!1aA', 'Äa1 aaaaA!', `Aa1!${'x'.repeat(limits.passwordChars - 4)}`])(
    'accepts %s',
    (text) => {
      expect(newPassword.parse(text)).toBe(text)
    },
  )

  it.each([
    ['nothing', undefined, 'Password is required'],
    ['another type', 12_345_678, 'Password is required'],
    ['seven characters', 'Aa1!aaa', 'Password must be at least 8 characters long'],
    ['one character, which breaks other rules, too', 'a', 'Password must be at least 8 characters long'],
    ['129 characters', `Aa1!${'x'.repeat(limits.passwordChars - 3)}`, 'Password must be at most 128 characters'],
    ['no uppercase letter', 'aaaaaaaa', 'Password must contain at least one uppercase letter'],
    ['no lowercase letter', 'AAAAAAAA', 'Password must contain at least one lowercase letter'],
    ['no digit', 'AAAAaaaa', 'Password must contain at least one digit'],
    ['no special character', 'AAAAaaaa1', 'Password must contain at least one special character'],
    ['a space for a special character', 'AAAA aaaa1', 'Password must contain at least one special character'],
  ])('reports the first rule that fails: %s', (_what, value, message) => {
    expect(messagesOf(newPassword, value)).toEqual([message])
  })
})

describe('the new password of the profile', () => {
  it('follows the rules of registration', () => {
    expect(strongPassword.parse('Aa1!aaaa')).toBe('Aa1!aaaa')
  })

  it.each([undefined, 5, ''])('is required: %j', (value) => {
    expect(messagesOf(strongPassword, value)).toEqual(['Please enter a new password.'])
  })

  it.each(['Aa1!aaa', 'aaaaaaa1!', 'x'])('has one message for all rules: %s', (value) => {
    expect(messagesOf(strongPassword, value)).toEqual([
      'Password must be at least 8 characters, include uppercase, lowercase, number, and special character.',
    ])
  })
})

describe('a password at login', () => {
  it.each(['x', 'x'.repeat(limits.passwordChars)])('accepts any text (%#)', (text) => {
    expect(typedPassword.parse(text)).toBe(text)
  })

  it.each([
    ['nothing', undefined, 'Password is required'],
    ['empty', '', 'Password is required'],
    ['longer than any password', 'x'.repeat(limits.passwordChars + 1), 'Invalid credentials'],
  ])('rejects %s', (_what, value, message) => {
    expect(messagesOf(typedPassword, value)).toEqual([message])
  })
})

test('messages about two fields', () => {
  expect(passwordsDoNotMatch).toBe('Passwords do not match')
  expect(atLeastOneCode).toBe('Please enter at least one OTP (email or phone)')
})
