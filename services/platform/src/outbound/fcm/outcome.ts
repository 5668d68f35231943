import { z } from 'zod'
import type { PushOutcome } from '../port.ts'

/** What is used of the errors of firebase-admin. Their messages may quote the token and are left alone. */
const errorSchema = z.object({
  code: z.string(),
  httpResponse: z
    .object({
      status: z.number(),
      headers: z.record(z.string(), z.unknown()).default({}),
      data: z.unknown(),
    })
    .optional(),
})

const unregisteredSchema = z.object({
  error: z.object({ details: z.array(z.object({ errorCode: z.string().optional() })) }),
})

/** The detail counts, not the library's code for it: that stands for any 'not found', a mistyped project's, say. */
const saysUnregistered = (data: unknown): boolean =>
  unregisteredSchema.safeParse(data).data?.error.details.some(({ errorCode }) => errorCode === 'UNREGISTERED') ?? false

/** Seconds, or a date. */
const retryAfterMs = (header: unknown, now: () => Date): number | undefined => {
  if (typeof header !== 'string' || header === '') return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now().getTime()
  return Number.isFinite(ms) && ms > 0 ? ms : undefined
}

const tooManyRequests = 429
const firstServerError = 500

/** What a send that failed means for its token. */
export const outcomeOf = (error: unknown, now: () => Date): PushOutcome => {
  const known = errorSchema.safeParse(error).data
  if (!known) return { kind: 'failed', reason: 'push could not be handed over' }
  const { httpResponse } = known
  const [area, reason = known.code] = known.code.split('/')
  // Without an answer: the network, or the credentials' own server.
  if (!httpResponse) return { kind: area === 'app' ? 'unavailable' : 'failed', reason }
  if (saysUnregistered(httpResponse.data)) return { kind: 'unregistered' }
  const { status, headers } = httpResponse
  if (status !== tooManyRequests && status < firstServerError) return { kind: 'failed', reason }
  const afterMs = retryAfterMs(headers['retry-after'], now)
  return { kind: 'unavailable', reason, ...(afterMs !== undefined && { retryAfterMs: afterMs }) }
}
