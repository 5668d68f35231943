import { registrationDetailsSchema } from '@portal/contracts/auth/http'
import {
  atLeastOneCode,
  email,
  mobileNumber,
  newPassword,
  oneTimeCode,
  passwordsDoNotMatch,
} from '@portal/contracts/shared/rules'
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

/** The digits of a typed, pasted or autofilled mobile number, without the country code +91. */
export const phoneDigitsOf = (text: string): string =>
  text
    .replace(/^\s*\+\s*91/, '')
    .replace(/\D/g, '')
    .slice(0, 10)
