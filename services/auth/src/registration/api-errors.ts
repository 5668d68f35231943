import type { ApiError } from '@portal/platform/http/handler'
import { formatDuration } from '@portal/platform/limits/port'
import type { RegistrationRejection } from './decider.ts'

/**
 * The API error of a rejection. Wrong and unknown get the same error, so that callers cannot probe for registrations.
 */
export const apiErrorOf = (rejection: RegistrationRejection): ApiError => {
  switch (rejection.reason) {
    case 'already-registered':
      return { code: 'conflict', message: 'An account with this email already exists. Please log in.' }
    case 'not-pending':
      return { code: 'not-found', message: 'Registration not found. Please start again.' }
    case 'sent-too-recently':
      return tooMany(
        `Please wait ${formatDuration(rejection.retryAfterSeconds)} before requesting another OTP.`,
        rejection.retryAfterSeconds,
      )
    case 'sent-too-often':
      return tooManyCodes(rejection.retryAfterSeconds)
    case 'does-not-match':
      return apiErrors.wrongCode
    case 'not-begun-here':
      return {
        code: 'invalid',
        message: 'This registration was started again elsewhere. Please go back and request new OTPs.',
      }
    case 'code-expired':
      return { code: 'invalid', message: 'OTP has expired. Please request a new OTP.' }
    case 'number-in-use':
      return {
        code: 'conflict',
        message: 'This mobile number already belongs to another account. Please use the OTP sent to your email.',
      }
    case 'too-many-wrong-codes':
      return { code: 'too-many-requests', message: 'Too many wrong attempts. Please request a new OTP.' }
  }
}

const tooMany = (message: string, retryAfterSeconds: number): ApiError => ({
  code: 'too-many-requests',
  message,
  retryAfterSeconds,
})

export const tooManyCodes = (retryAfterSeconds: number): ApiError =>
  tooMany(`Too many OTPs requested. Please try again in ${formatDuration(retryAfterSeconds)}.`, retryAfterSeconds)

export const tooManyChecks = (retryAfterSeconds: number): ApiError =>
  tooMany(`Too many wrong attempts. Please try again in ${formatDuration(retryAfterSeconds)}.`, retryAfterSeconds)

export const tooManyRegistrations = (retryAfterSeconds: number): ApiError =>
  tooMany(
    `Too many registrations from here. Please try again in ${formatDuration(retryAfterSeconds)}.`,
    retryAfterSeconds,
  )

export const apiErrors = {
  wrongCode: { code: 'invalid', message: 'OTP verification failed. Please try again.' },
  sendFailed: { code: 'unavailable', message: 'Failed to send OTPs. Please try again.' },
  resendFailed: { code: 'unavailable', message: 'Failed to resend OTP. Please try again.' },
} as const satisfies Record<string, ApiError>
