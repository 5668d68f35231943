import { z } from 'zod'

/** Machine-readable error codes. services/platform/src/http/problem.ts maps them to HTTP statuses. */
const problemCodes = [
  'invalid', // the request does not match its schema
  'unauthenticated', // no session, or the session has ended
  'forbidden', // logged in, but not allowed
  'second-factor-required', // the change takes a proof of the second factor, too
  'not-found',
  'conflict', // conflicts with the current state
  'too-many-requests',
  'payload-too-large',
  'unsupported-media-type', // the body is not JSON
  'misdirected', // the Host header does not name the portal
  'unavailable', // a dependency does not respond
  'unknown-outcome', // the response was lost after the request was forwarded; a retry might repeat its effect
  'internal',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** What a login needs after the password. 'set-up': an admin must first set up a second factor. */
const secondStepKinds = ['code', 'set-up'] as const
export type SecondStepKind = (typeof secondStepKinds)[number]

const secondFactorKinds = ['totp', 'passkey'] as const
export type SecondFactorKind = (typeof secondFactorKinds)[number]

/** The body of every error response. `message` is shown to users. */
export const problemSchema = z.object({
  success: z.literal(false),
  code: z.enum(problemCodes),
  message: z.string(),
  /** Field path to message, for bodies that failed validation. */
  errors: z.record(z.string(), z.string()).optional(),
  /** Retry after this many seconds. Only with code 'too-many-requests'. */
  retryAfterSeconds: z.number().optional(),
  /** The password was right. Only at POST /auth/login; `challenge` proves it to the routes of auth/second-factor.ts. */
  secondStep: z
    .object({
      kind: z.enum(secondStepKinds),
      challenge: z.string(),
      /** What the second step can be done with, or what can be set up. A recovery code always works. Earlier releases have no passkeys. */
      factors: z.array(z.enum(secondFactorKinds)).optional(),
    })
    .optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** Shown if no server responded. */
export const networkErrorMessage =
  'Unable to connect to server. Please check your internet connection or try again later.'
