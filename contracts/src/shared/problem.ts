import { z } from 'zod'

/** Machine-readable reasons. HTTP statuses belong to services/platform/src/http/problem.ts alone. */
const problemCodes = [
  'invalid', // the request does not fit its contract
  'unauthenticated', // nobody is signed in, or the session has ended
  'forbidden', // signed in, but not allowed
  'not-found',
  'conflict', // it clashes with what is already recorded
  'too-many-requests',
  'payload-too-large',
  'unsupported-media-type', // a body that is not JSON
  'misdirected', // the Host that the request names is not the portal's
  'unavailable', // a part that is needed does not answer
  'unknown-outcome', // the answer was lost after the request was passed on: it may have been done, and a repetition would do it again
  'internal',
] as const
export type ProblemCode = (typeof problemCodes)[number]

/** The body of every answer that is not a success. `message` is meant for people. */
export const problemSchema = z.object({
  success: z.literal(false),
  code: z.enum(problemCodes),
  message: z.string(),
  /** Field path to message, for bodies that failed validation. */
  errors: z.record(z.string(), z.string()).optional(),
  /** Seconds until a retry makes sense, with code 'too-many-requests'. */
  retryAfterSeconds: z.number().optional(),
})
export type Problem = z.infer<typeof problemSchema>

/** The words for the moments when no server answered. */
export const networkErrorMessage =
  'Unable to connect to server. Please check your internet connection or try again later.'
