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
    ['98765432109', '9876543210'],
    ['09876543210', '9876543210'],
    ['919876543210', '9876543210'],
    ['0091 98765 43210', '9876543210'],
    ['९८७६५४३२१०', '9876543210'],
    ['९८', '98'],
    ['91987654321', '91987654321'],
    ['9198765432', '9198765432'],
    ['9198', '9198'],
    ['abc', ''],
  ])('reads %j as %j', (typed, kept) => {
    expect(phoneDigitsOf(typed)).toBe(kept)
  })

  it('is the same typed key by key as pasted', () => {
    const numbers = ['9876543210', '+919876543210', '09876543210', '919876543210', '00919876543210', '९८७६५४३२१०']
    const typed = numbers.map((number) => Array.from(number).reduce((value, key) => phoneDigitsOf(value + key), ''))
    expect(typed).toEqual(numbers.map(() => '9876543210'))
  })
})
