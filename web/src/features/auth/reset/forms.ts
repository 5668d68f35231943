import { forgotPassword, resetPassword } from '@portal/contracts/auth/http'
import { passwordsDoNotMatch } from '@portal/contracts/shared/rules'
import { z } from 'zod'
import { filledIn } from '../filled-in.ts'

export const addressSchema = forgotPassword.body

const password = filledIn('New Password').pipe(resetPassword.body.shape.password)
const confirmPassword = filledIn('Confirm Password')

export const newPasswordSchema = z
  .object({ password, confirmPassword })
  .refine((typed) => typed.password === typed.confirmPassword, {
    error: passwordsDoNotMatch,
    path: ['confirmPassword'],
    // Not before both are worth comparing.
    when: ({ value }) => z.object({ password, confirmPassword }).safeParse(value).success,
  })
