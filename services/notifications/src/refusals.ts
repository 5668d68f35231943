import type { Refusal } from '@portal/platform/http/handler'

export const refusals = {
  notFound: { code: 'not-found', message: 'Notification not found' },
  /** It is recorded; trying again is safe and finds it there. */
  behind: { code: 'unavailable', message: 'This is taking longer than usual. Please try again in a moment.' },
} as const satisfies Record<string, Refusal>
