import type { Refusal } from '@portal/platform/http/handler'
import { waitInWords } from '@portal/platform/limits/wait-in-words'

export const refusals = {
  /** The same for an unknown address and a wrong password. */
  invalidCredentials: { code: 'unauthenticated', message: 'Invalid credentials' },
  /** Only for the right password. */
  firstPasswordExpired: {
    code: 'unauthenticated',
    message:
      'The first password has expired. Run make admin where the portal runs: it prints a link that sets a new one.',
  },
} as const satisfies Record<string, Refusal>

const tooMany = (what: string, retryAfterSeconds: number): Refusal => ({
  code: 'too-many-requests',
  message: `Too many ${what}. Please try again in ${waitInWords(retryAfterSeconds)}.`,
  retryAfterSeconds,
})

export const tooManyFailures = (retryAfterSeconds: number): Refusal => tooMany('failed log-ins', retryAfterSeconds)

export const tooManyLogIns = (retryAfterSeconds: number): Refusal => tooMany('log-ins', retryAfterSeconds)
