import type { Refusal } from '@portal/platform/http/handler'
import { waitInWords } from '@portal/platform/limits/wait-in-words'

/** The same for a token that is unknown, used or expired, or whose password is gone: whoever has one needs a new one in each case. */
export const linkNotValid: Refusal = {
  code: 'invalid',
  message: 'This link is not valid any more. Please request a new one.',
}

export const sendFailed: Refusal = { code: 'unavailable', message: 'Failed to send reset email' }

export const tooManyResets = (retryAfterSeconds: number): Refusal => ({
  code: 'too-many-requests',
  message: `Too many attempts to reset a password. Please try again in ${waitInWords(retryAfterSeconds)}.`,
  retryAfterSeconds,
})

export const tooManyLinks = (retryAfterSeconds: number): Refusal => ({
  code: 'too-many-requests',
  message: `Too many reset links requested. Please try again in ${waitInWords(retryAfterSeconds)}.`,
  retryAfterSeconds,
})
