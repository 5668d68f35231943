import type { ApiError } from '@portal/platform/http/handler'
import { formatDuration } from '@portal/platform/limits/port'

export const apiErrors = {
  /** The same for an unknown address and a wrong password. */
  invalidCredentials: { code: 'unauthenticated', message: 'Invalid credentials' },
  /** Only for the right password. */
  firstPasswordExpired: {
    code: 'unauthenticated',
    message:
      'The first password has expired. Run make admin where the portal runs: it prints a link that sets a new one.',
  },
} as const satisfies Record<string, ApiError>

const tooMany = (what: string, retryAfterSeconds: number): ApiError => ({
  code: 'too-many-requests',
  message: `Too many ${what}. Please try again in ${formatDuration(retryAfterSeconds)}.`,
  retryAfterSeconds,
})

export const tooManyFailures = (retryAfterSeconds: number): ApiError => tooMany('failed log-ins', retryAfterSeconds)

export const tooManyLogIns = (retryAfterSeconds: number): ApiError => tooMany('log-ins', retryAfterSeconds)
