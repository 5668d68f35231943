import type { ApiError } from '@portal/platform/http/handler'
import { guessability, guessablePasswords, type PasswordOwner } from './guessable-password.ts'

/** Refuses a password that is easily guessed, at the field where it was typed. Undefined for any other. */
export const refuseGuessable = (
  field: 'password' | 'newPassword',
  password: string,
  owner: PasswordOwner,
): ApiError | undefined => {
  const why = guessability(password, owner)
  if (why === undefined) return undefined
  const message = guessablePasswords[why]
  return { code: 'invalid', message, errors: { [field]: message } }
}
