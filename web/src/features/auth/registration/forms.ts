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
    // Said even while other fields are wrong, but not before both passwords are worth comparing.
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

/** What the mobile number's field keeps of what was typed, pasted or filled in: digits, without India's prefix. */
export const phoneDigitsOf = (text: string): string =>
  text
    .replace(/^\s*\+\s*91/, '')
    .replace(/\D/g, '')
    .slice(0, 10)
