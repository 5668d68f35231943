import type { ApiError } from '@portal/platform/http/handler'
import { formatDuration } from '@portal/platform/limits/port'

/** The same for a token that is unknown, used or expired, or whose password is gone: whoever has one needs a new one in each case. */
export const linkNotValid: ApiError = {
  code: 'invalid',
  message: 'This link is not valid any more. Please request a new one.',
}

export const sendFailed: ApiError = { code: 'unavailable', message: 'Failed to send reset email' }

export const tooManyResets = (retryAfterSeconds: number): ApiError => ({
  code: 'too-many-requests',
  message: `Too many attempts to reset a password. Please try again in ${formatDuration(retryAfterSeconds)}.`,
  retryAfterSeconds,
})

export const tooManyLinks = (retryAfterSeconds: number): ApiError => ({
  code: 'too-many-requests',
  message: `Too many reset links requested. Please try again in ${formatDuration(retryAfterSeconds)}.`,
  retryAfterSeconds,
})
