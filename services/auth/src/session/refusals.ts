import type { Refusal } from '@portal/platform/http/handler'

export const refusals = {
  /** The same for an unknown address and a wrong password. */
  invalidCredentials: { code: 'unauthenticated', message: 'Invalid credentials' },
  busy: { code: 'unavailable', message: 'The portal is very busy right now. Please try again in a moment.' },
} as const satisfies Record<string, Refusal>

export const tooManyFailures = (retryAfterSeconds: number): Refusal => {
  const minutes = Math.ceil(retryAfterSeconds / 60)
  return {
    code: 'too-many-requests',
    message: `Too many failed log-ins. Please try again in ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`,
    retryAfterSeconds,
  }
}
