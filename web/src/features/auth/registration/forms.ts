import { registrationDetailsSchema } from '@portal/contracts/auth/http'
import {
  atLeastOneCode,
  email,
  mobileNumber,
  newPassword,
  oneTimeCode,
  passwordsDoNotMatch,
} from '@portal/contracts/shared/rules'
import { cleanMobileNumber, withAsciiDigits } from '@portal/contracts/shared/typed-input'
import { z } from 'zod'
import { requiredText } from '../../../lib/form.ts'

const password = requiredText('Password').pipe(newPassword)
const confirmPassword = requiredText('Confirm Password')

export const accountSchema = z
  .object({
    name: registrationDetailsSchema.shape.fullName,
    university: registrationDetailsSchema.shape.universityName,
    password,
    confirmPassword,
  })
  .refine((account) => account.password === account.confirmPassword, {
    error: passwordsDoNotMatch,
    path: ['confirmPassword'],
    // Checked even while other fields are invalid, but only once both passwords are valid by themselves.
    when: ({ value }) => z.object({ password, confirmPassword }).safeParse(value).success,
  })
export type Account = z.infer<typeof accountSchema>

export const contactSchema = z.object({ email, phone: mobileNumber })
export type Contact = z.infer<typeof contactSchema>

const codeOrNothing = z.union([z.literal(''), oneTimeCode], oneTimeCode.safeParse('').error?.issues[0]?.message)

export const codesSchema = z
  .object({ emailOtp: codeOrNothing, phoneOtp: codeOrNothing })
  .refine((codes) => codes.emailOtp !== '' || codes.phoneOtp !== '', { error: atLeastOneCode, path: ['emailOtp'] })
export type Codes = z.infer<typeof codesSchema>

/** Keys after it could make it another number: what seemed a number after a code would then be the code of another one. */
const maybeCountryCode = /^910?[6-9]/

/** Whether a country code or a zero was taken from what was typed. */
const isShortened = (text: string, number: string): boolean =>
  withAsciiDigits(text).replaceAll(/\D/g, '').length > number.length

/**
 * What the field for the mobile number shows of a typed, pasted or autofilled text: a whole number as its ten digits, digits
 * without what separates them, and all else as it is. It is never cut, or it would become another person's number, which would be
 * sent the code. So the form's schema finds the same number in it as in the text.
 */
export const phoneDigitsOf = (text: string): string => {
  const number = cleanMobileNumber(text)
  if (!/^\+?\d*$/.test(number)) return text
  return maybeCountryCode.test(number) && isShortened(text, number) ? text : number
}
