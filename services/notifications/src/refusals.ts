import type { Refusal } from '@portal/platform/http/handler'
import { waitInWords } from '@portal/platform/limits/wait-in-words'

export const refusals = {
  notFound: { code: 'not-found', message: 'Notification not found' },
  /** It is recorded; trying again is safe and finds it there. */
  behind: { code: 'unavailable', message: 'This is taking longer than usual. Please try again in a moment.' },
} as const satisfies Record<string, Refusal>

export const tooManyTokens = (retryAfterSeconds: number): Refusal => ({
  code: 'too-many-requests',
  message: `Too many push tokens registered. Please try again in ${waitInWords(retryAfterSeconds)}.`,
  retryAfterSeconds,
})
