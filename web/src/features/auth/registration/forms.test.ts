import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { accountSchema, codesSchema, contactSchema, phoneDigitsOf } from './forms.ts'

/** The first message of each field, which the form shows. */
const messagesOf = (schema: z.ZodType, values: unknown): Record<string, string> => {
  const result = schema.safeParse(values)
  const messages: Record<string, string> = {}
  for (const issue of result.error?.issues ?? []) messages[issue.path.join('.')] ??= issue.message
  return messages
}

/** What the field shows after each key in turn. */
const typedByKeys = (text: string): string => Array.from(text).reduce((value, key) => phoneDigitsOf(value + key), '')

const account = {
  name: 'Asha Rao',
  university: 'Lakeside University',
  password: 'Secret#1x',
  confirmPassword: 'Secret#1x',
}

describe('the account step', () => {
  it('[R-10] requires every field and names it by its label', () => {
    expect(messagesOf(accountSchema, { name: ' ', university: '', password: '', confirmPassword: '  ' })).toEqual({
      name: 'Name is required',
      university: 'University Name is required',
      password: 'Password is required',
      confirmPassword: 'Confirm Password is required',
    })
  })

  it.each([
    ['Ab1#', 'Password must be at least 8 characters long'],
    ['abcdefg1#', 'Password must contain at least one uppercase letter'],
    ['ABCDEFG1#', 'Password must contain at least one lowercase letter'],
    ['Abcdefgh#', 'Password must contain at least one digit'],
    ['Abcdefgh1', 'Password must contain at least one special character'],
    ['abc', 'Password must be at least 8 characters long'],
  ])('shows one message for the password %s: %s', (password, message) => {
    expect(messagesOf(accountSchema, { ...account, password, confirmPassword: 'other' })).toEqual({ password: message })
  })

  it('compares the passwords even if another field is invalid', () => {
    expect(messagesOf(accountSchema, { ...account, name: '', confirmPassword: 'Secret#1y' })).toEqual({
      name: 'Name is required',
      confirmPassword: 'Passwords do not match',
    })
  })

  it('trims the name and leaves the password as typed', () => {
    const typed = { ...account, name: '  Asha Rao ', password: ' Secret#1x ', confirmPassword: ' Secret#1x ' }
    expect(accountSchema.parse(typed)).toEqual({ ...typed, name: 'Asha Rao' })
  })
})

describe('the contact step', () => {
  it('requires email and phone number', () => {
    expect(messagesOf(contactSchema, { email: ' ', phone: '' })).toEqual({
      email: 'Email is required',
      phone: 'Mobile number is required',
    })
  })

  it('checks the format of both', () => {
    expect(messagesOf(contactSchema, { email: 'asha@example', phone: '98765' })).toEqual({
      email: 'Please enter a valid email address',
      phone: 'Mobile number must be exactly 10 digits',
    })
  })
})

describe('the codes step', () => {
  it('requires at least one code', () => {
    expect(messagesOf(codesSchema, { emailOtp: '', phoneOtp: '' })).toEqual({
      emailOtp: 'Please enter at least one OTP (email or phone)',
    })
  })

  it('[R-19] checks every entered code', () => {
    const message = 'OTP must be exactly 6 digits'
    expect(messagesOf(codesSchema, { emailOtp: '123', phoneOtp: '' })).toEqual({ emailOtp: message })
    expect(messagesOf(codesSchema, { emailOtp: '123456', phoneOtp: '12' })).toEqual({ phoneOtp: message })
  })

  it('accepts a single code', () => {
    expect(codesSchema.parse({ emailOtp: '', phoneOtp: '123456' })).toEqual({ emailOtp: '', phoneOtp: '123456' })
  })
})

describe('[G-33] the mobile number', () => {
  it.each([
    ['98765 43210', '9876543210'],
    ['+91 98765-43210', '9876543210'],
    ['09876543210', '9876543210'],
    ['919876543210', '9876543210'],
    ['0091 98765 43210', '9876543210'],
    ['९८७६५४३२१०', '9876543210'],
    ['९८', '98'],
    ['91987654321', '91987654321'],
    ['9198765432', '9198765432'],
    ['9198', '9198'],
    ['98765 ', '98765'],
    [' ', ''],
    ['+91-098765 43210', '9876543210'],
    ['+91 (0) 98765 43210', '9876543210'],
    ['+91 91234 56789', '9123456789'],
    ['91987 65432', '9198765432'],
  ])('reads %j as %j', (typed, kept) => {
    expect(phoneDigitsOf(typed)).toBe(kept)
  })

  it.each([
    ['+971 50 123 4567', '+971501234567'],
    ['+65 9123 4567', '+6591234567'],
    ['+977 9812345678', '+9779812345678'],
    ['+92 300 1234567', '+923001234567'],
    ['+1 9876543210', '+19876543210'],
    ['+44 7876 543210', '+447876543210'],
    ['98765432109', '98765432109'],
    ['009876543210', '009876543210'],
    ['0919876543210', '0919876543210'],
    ['O98765 43210', 'O98765 43210'],
    ['98765 43210 ext 5', '98765 43210 ext 5'],
    ['98765 43210 / 98765 43211', '98765432109876543211'],
    ['98765 43210, 98765 43211', '98765 43210, 98765 43211'],
    ['abc', 'abc'],
  ])('keeps %j, which is no Indian number, as %j, and refuses it', (pasted, kept) => {
    expect(phoneDigitsOf(pasted)).toBe(kept)
    for (const phone of [kept, typedByKeys(pasted)]) {
      expect(messagesOf(contactSchema, { email: 'asha@example.com', phone })).toEqual({
        phone: 'Mobile number must be exactly 10 digits',
      })
    }
  })

  it('is the same typed key by key as pasted', () => {
    const numbers = ['9876543210', '+919876543210', '09876543210', '919876543210', '00919876543210', '९८७६५४३२१०']
    expect(numbers.map(typedByKeys)).toEqual(numbers.map(() => '9876543210'))
  })

  it('that is sent is the one that was typed, whatever was typed, pasted or left out', () => {
    const sent = (phone: string) => contactSchema.safeParse({ email: 'asha@example.com', phone }).data?.phone
    const part = fc.constantFrom(...'+019 -x', '91', '0091', '9876543210', '9198765432', '9109876543', '9876', '5')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const whole = parts.join('')
        const inParts = parts.reduce((value, pasted) => phoneDigitsOf(value + pasted), '')
        const shown = [phoneDigitsOf(whole), typedByKeys(whole), inParts]
        expect(shown.map(sent)).toEqual(shown.map(() => sent(whole)))
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps the code before a number that more keys could make another one of', () => {
    const begun = ['09198765432', '+91 91987 65432', '09109876543']
    expect(begun.map(phoneDigitsOf)).toEqual(begun)
    expect(begun.map((phone) => contactSchema.parse({ email: 'asha@example.com', phone }).phone)).toEqual([
      '9198765432',
      '9198765432',
      '9109876543',
    ])
  })
})
