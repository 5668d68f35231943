import { describe, expect, it, test } from 'vitest'
import type { z } from 'zod'
import {
  atLeastOneCode,
  email,
  knownEmail,
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

/** What is wrong with each value, all values at once: a difference shows the values that are judged otherwise. */
const expectMessages = (schema: z.ZodType, rows: readonly (readonly [value: unknown, ...messages: string[]])[]): void =>
  expect(rows.map(([value]) => [value, ...messagesOf(schema, value)])).toEqual(rows)

/** Accepts these texts as they are. */
const expectAccepted = (schema: z.ZodType, texts: readonly string[]): void =>
  expect(texts.map((text) => schema.safeParse(text).data)).toEqual(texts)

const name = requiredText('Name', limits.nameChars)
const detail = optionalText('Detail', limits.detailChars)

describe('a required text', () => {
  it('is trimmed, keeps tabs and line breaks, and accepts as many characters as its limit', () => {
    expect(name.parse('  Ada \n')).toBe('Ada')
    expectAccepted(name, ['a\tb', 'a\nb', 'a\r\nb', 'x'.repeat(limits.nameChars)])
  })

  it('is rejected if it is absent, empty, too long or has control characters', () => {
    expectMessages(name, [
      [undefined, 'Name is required'],
      [5, 'Name is required'],
      ['', 'Name is required'],
      [' \t\n', 'Name is required'],
      ['x'.repeat(limits.nameChars + 1), 'Name must be at most 120 characters'],
      ['a\u0007b', 'Name must not contain control characters'],
    ])
  })

  it('can have its own message for empty input', () => {
    expectMessages(requiredText('Title', 10, 'Please enter a title'), [
      [undefined, 'Please enter a title'],
      [' ', 'Please enter a title'],
    ])
  })
})

describe('an optional text', () => {
  it('is trimmed, may be empty, and accepts as many characters as its limit', () => {
    expect(detail.parse('  text ')).toBe('text')
    expectAccepted(detail, ['', 'x'.repeat(limits.detailChars)])
  })

  it('uses its default if absent', () => {
    expect(detail.parse(undefined)).toBe('')
    expect(optionalText('Fee', 10, '1000').parse(undefined)).toBe('1000')
  })

  it('is rejected if it is no text, too long or has control characters', () => {
    expectMessages(detail, [
      [5, 'Detail must be text'],
      ['x'.repeat(limits.detailChars + 1), 'Detail must be at most 5000 characters'],
      ['a\u0000b', 'Detail must not contain control characters'],
    ])
  })
})

describe('a text of one line', () => {
  const line = requiredLine('Name', limits.nameChars)
  const optional = optionalLine('Fee', limits.shortTextChars)

  it('is a required or an optional text as well', () => {
    expectMessages(line, [[' ', 'Name is required']])
    expectMessages(requiredLine('Title', 10, 'Please enter a title'), [[' ', 'Please enter a title']])
    expect(optional.parse(undefined)).toBe('')
    expect(optionalLine('Fee', 10, '1000').parse(undefined)).toBe('1000')
    expectMessages(optional, [
      [5, 'Fee must be text'],
      ['x'.repeat(limits.shortTextChars + 1), 'Fee must be at most 200 characters'],
      ['a\u0000b', 'Fee must not contain control characters'],
    ])
  })

  it('has no tabs and line breaks', () => {
    const texts = ['a\tb', 'a\nb', 'a\rb', 'a\u2028b', 'a\u2029b']
    expectMessages(
      line,
      texts.map((text) => [text, 'Name must be one line']),
    )
    expectMessages(
      optional,
      texts.map((text) => [text, 'Fee must be one line']),
    )
  })

  it('may have hidden characters as part of a character', () => {
    const texts = ['👍', '👍🏽', '❤️', '❤️‍🔥', '👨‍👩‍👧‍👦', '👩🏽‍🤝‍👨🏿', '👩🏽‍❤️‍💋‍👨🏿', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '0️⃣9️⃣#️⃣*️⃣', '葛\u{E0100}飾', '㐂\uFE00', 'ക്\u200D']
    expectAccepted(line, texts)
    expectAccepted(
      optional,
      texts.map((text) => `a ${text} b`),
    )
  })

  it('has no other hidden characters', () => {
    const texts = [
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
    ].map((text) => `x${text}x`)
    expectMessages(
      line,
      texts.map((text) => [text, 'Name must not contain hidden characters']),
    )
    expectMessages(
      optional,
      texts.map((text) => [text, 'Fee must not contain hidden characters']),
    )
  })
})

describe('an e-mail address', () => {
  it('is accepted in its one form', () => {
    expect(email.parse(' Ada.Lovelace@Example.COM ')).toBe('ada.lovelace@example.com')
    expect(email.parse('Ada\u200B@ＥＸÄmple.co.in\u00AD')).toBe('ada@xn--exmple-cua.co.in')
    const others = [
      "o'brien+x_1-2@a-b.example.com",
      '!#$%&*/=?^`{|}~@x.io',
      'žofie@b2.example',
      'अ.१@x1.in',
      `a@${'x'.repeat(63)}.org`,
    ]
    expectAccepted(email, others)
  })

  it('is cleaned before its shape is checked', () => {
    const written = [
      'learner-0005＠example.com',
      'learner-0005@example。com',
      'learner-0005@example．com',
      'learner-0005@example｡com \u200B',
    ]
    expect(written.map((text) => email.parse(text))).toEqual(written.map(() => 'learner-0005@example.com'))
    expectAccepted(knownEmail, written.slice(0, 3))
    expectMessages(email, [['\u200B', 'Email is required', 'Please enter a valid email address']])
    expectMessages(knownEmail, [
      ['a b＠example.com', 'Please enter a valid email address'],
      ['a\u0000b＠example.com', 'Please enter a valid email address'],
      [`a@${'.'.repeat(300_000)}＠`, 'Please enter a valid email address'],
    ])
  })

  it('fits its maximum length in its one form, which a form sends', () => {
    expectMessages(email, [[`${'㍿'.repeat(100)}@example.com`, 'Please enter a valid email address']])
  })

  it('of an account that exists is accepted even if its one form is no address', () => {
    expectAccepted(knownEmail, ['a\u00A8b@example.com'])
  })

  it('of an account that exists may be one that no new account can have, and is kept as it was typed', () => {
    expectAccepted(knownEmail, ['x@example.com,', 'x@example..com', '"x"@exämple.com', 'x\u200B@1.2.3.4'])
    expect(knownEmail.parse(' X@Example.com ')).toBe('x@example.com')
    expectMessages(knownEmail, [
      ['x@example', 'Please enter a valid email address'],
      ['x@example.com y', 'Please enter a valid email address'],
      ['x y@example.com', 'Please enter a valid email address'],
    ])
  })

  it('is rejected if it is absent or not valid', () => {
    const notValid = 'Please enter a valid email address'
    expectMessages(email, [
      [undefined, 'Email is required'],
      [5, 'Email is required'],
      ['', 'Email is required', notValid],
      ['ada.example.com', notValid],
      ['ada@@example.com', notValid],
      ['ada@example', notValid],
      ['to ada@example.com', notValid],
      ['ada@example.com now', notValid],
      ['a\u0000da@example.com', notValid],
      ['ada@example.com,', notValid],
      ['ada@example..com', notValid],
      ['ada@.example.com', notValid],
      ['ada@example.com.', notValid],
      ['ada@-example.com', notValid],
      ['ada@example-.com', notValid],
      ['ada@ex_ample.com', notValid],
      [`ada@${'x'.repeat(64)}.org`, notValid],
      ['ada@1.2.3.4', notValid],
      ['ada@example.4u', notValid],
      ['ada@example.c', notValid],
      ['ada@example.com-', notValid],
      ['"ada"@example.com', notValid],
      ['ada lovelace@example.com', notValid],
      ['.ada@example.com', notValid],
      ['ada.@example.com', notValid],
      ['a..da@example.com', notValid],
      ['ada(1)@example.com', notValid],
      ['ada@example.com/x', notValid],
      ['ada＠b@example.com', notValid],
    ])
  })
})

test('a mobile number has ten digits', () => {
  const notTen = 'Mobile number must be exactly 10 digits'
  expectAccepted(mobileNumber, ['9876543210', '0987654321', '9198765432'])
  const written = [
    '+91 98765-43210',
    '09876543210',
    '919876543210',
    '0091 (98765) 43210',
    '९८७६५४३२१०',
    '\u202A9876543210',
  ]
  expect(written.map((text) => mobileNumber.parse(text))).toEqual(written.map(() => '9876543210'))
  expectMessages(mobileNumber, [
    [undefined, 'Mobile number is required'],
    [9_876_543_210, 'Mobile number is required'],
    ['', 'Mobile number is required', notTen],
    ['987654321', notTen],
    ['98765432100', notTen],
    ['+9876543210', notTen],
    ['9876543210x', notTen],
    ['abcdefghij', notTen],
    ['+915876543210', notTen],
    ['+9198765432101', notTen],
    ['+929876543210', notTen],
  ])
})

test('a one-time code has six digits', () => {
  expectAccepted(oneTimeCode, ['012345'])
  const written = ['012 345', '012-345', '2 new: 012345', 'Your code is 012345.', '०१२३४५', '０１２３４５']
  expect(written.map((text) => oneTimeCode.parse(text))).toEqual(written.map(() => '012345'))
  const others = [undefined, 12_345, '', '12345', '1234567', 'abcdef', '123456 or 654321', '12345 6789']
  expectMessages(
    oneTimeCode,
    others.map((value) => [value, 'OTP must be exactly 6 digits']),
  )
})

test('of a new password, the first rule that fails is reported', () => {
  expectAccepted(newPassword, ['Aa1!aaaa', 'aaaa!1aA', 'Äa1 aaaaA!', `Aa1!${'x'.repeat(limits.passwordChars - 4)}`])
  expectMessages(newPassword, [
    [undefined, 'Password is required'],
    [12_345_678, 'Password is required'],
    ['Aa1!aaa', 'Password must be at least 8 characters long'],
    ['a', 'Password must be at least 8 characters long'],
    [`Aa1!${'x'.repeat(limits.passwordChars - 3)}`, 'Password must be at most 128 characters'],
    ['aaaaaaaa', 'Password must contain at least one uppercase letter'],
    ['AAAAAAAA', 'Password must contain at least one lowercase letter'],
    ['AAAAaaaa', 'Password must contain at least one digit'],
    ['AAAAaaaa1', 'Password must contain at least one special character'],
    ['AAAA aaaa1', 'Password must contain at least one special character'],
  ])
})

test('the new password of the profile follows the rules of registration, and has one message for all of them', () => {
  const required = 'Please enter a new password.'
  const weak = 'Password must be at least 8 characters, include uppercase, lowercase, number, and special character.'
  expectAccepted(strongPassword, ['Aa1!aaaa'])
  expectMessages(strongPassword, [
    [undefined, required],
    [5, required],
    ['', required],
    ['Aa1!aaa', weak],
    ['aaaaaaa1!', weak],
    ['x', weak],
  ])
})

test('a password at login is any text that is not longer than any password', () => {
  expectAccepted(typedPassword, ['x', 'x'.repeat(limits.passwordChars)])
  expectMessages(typedPassword, [
    [undefined, 'Password is required'],
    ['', 'Password is required'],
    ['x'.repeat(limits.passwordChars + 1), 'Invalid credentials'],
  ])
})

test('messages about two fields', () => {
  expect(passwordsDoNotMatch).toBe('Passwords do not match')
  expect(atLeastOneCode).toBe('Please enter at least one OTP (email or phone)')
})
