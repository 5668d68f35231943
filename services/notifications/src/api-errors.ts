import type { ApiError } from '@portal/platform/http/handler'
import { formatDuration } from '@portal/platform/limits/format-duration'

export const apiErrors = {
  notFound: { code: 'not-found', message: 'Notification not found' },
  /** The session ended while it was asking. */
  loggedOut: { code: 'unauthenticated', message: 'Please log in to continue' },
} as const satisfies Record<string, ApiError>

export const tooManyTokens = (retryAfterSeconds: number): ApiError => ({
  code: 'too-many-requests',
  message: `Too many push tokens registered. Please try again in ${formatDuration(retryAfterSeconds)}.`,
  retryAfterSeconds,
})
