import type { Refusal } from '@portal/platform/http/handler'
import { waitInWords } from '@portal/platform/limits/wait-in-words'

export const refusals = {
  notFound: { code: 'not-found', message: 'Notification not found' },
  /** The session ended while it was asking. */
  loggedOut: { code: 'unauthenticated', message: 'Please log in to continue' },
} as const satisfies Record<string, Refusal>

export const tooManyTokens = (retryAfterSeconds: number): Refusal => ({
  code: 'too-many-requests',
  message: `Too many push tokens registered. Please try again in ${waitInWords(retryAfterSeconds)}.`,
  retryAfterSeconds,
})
