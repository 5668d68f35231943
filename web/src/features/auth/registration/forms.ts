import { registrationDetailsSchema } from '@portal/contracts/auth/http'
import {
  atLeastOneCode,
  email,
  mobileNumber,
  newPassword,
  oneTimeCode,
  passwordsDoNotMatch,
} from '@portal/contracts/shared/rules'
import { cleanMobileNumber } from '@portal/contracts/shared/typed-input'
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

/** A number after 0091. */
const maxPrefixedDigits = 14

/** What can still become a number with India's country code, or with the zero of a call inside the country. */
const prefixed = /^(?:91|0)/

/**
 * The digits of a typed, pasted or autofilled mobile number: at most ten, and no country code or zero before them once the number is
 * whole. Until then such a number is not cut, or it would become another person's.
 */
export const phoneDigitsOf = (text: string): string => {
  const digits = cleanMobileNumber(text).replaceAll(/\D/g, '')
  return digits.slice(0, prefixed.test(digits) ? maxPrefixedDigits : 10)
}
