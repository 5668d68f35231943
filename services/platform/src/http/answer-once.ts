import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { idempotencyKeyHeader, type AnyRoute, repeatsSafely } from '@portal/contracts/shared/route'
import {
  idempotencyHeaders,
  idempotencyKeySchema,
  keyUsedForAnotherRequest,
} from '@portal/contracts/shared/idempotency'
import { type ProblemCode, problemSchema } from '@portal/contracts/shared/problem'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ok, rejected, type Result } from '../decider/decider.ts'
import type { RememberedAnswers } from '../idempotency/port.ts'
import type { ApiError } from './handler.ts'
import { apiErrors } from './problem.ts'

/** The request headers that the route understands. */
export const headersOf = (route: AnyRoute): z.ZodType => (repeatsSafely(route) ? route.headers : idempotencyHeaders)

/** A repetition waits this long for the answer to the first one. */
const waitMs = 25_000
const firstPauseMs = 20
const longestPauseMs = 500

const errorSchema = problemSchema.pick({
  code: true,
  message: true,
  errors: true,
  retryAfterSeconds: true,
  secondStep: true,
})
const answerSchema = z.object({
  /** Fingerprint of the request body. */
  request: z.string(),
  cookies: z.array(z.string()),
  result: z.union([
    z.object({ ok: z.literal(true), body: z.string() }),
    z.object({ ok: z.literal(false), error: errorSchema }),
  ]),
})
type Answer = z.infer<typeof answerSchema>

/**
 * Answers hold session tokens and personal data. They are encrypted with a key that is derived from the client's, and stored
 * under a hash of it, so that whoever reads the memory of the answers can use none.
 */
const secretOf = (key: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', 'remembered answer', 32))

const seal = (key: string, answer: Answer): string => {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', secretOf(key), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(answer), 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

const unseal = (key: string, text: string): Answer => {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', secretOf(key), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  const json = Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  return answerSchema.parse(JSON.parse(json))
}

const hashOf = (...parts: readonly (string | Buffer)[]): string => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(String(part.length)).update(':').update(part)
  return hash.digest('base64url')
}

/** The same key of another user, or at another address, is another action. */
const actionOf = (request: FastifyRequest, key: string): string =>
  hashOf(request.session?.userId ?? '', request.method, request.url, key)

const fingerprintOf = ({ body }: FastifyRequest): string =>
  hashOf(Buffer.isBuffer(body) ? body : (JSON.stringify(body) ?? ''))

const cookiesOf = (reply: FastifyReply): string[] => {
  const cookies = reply.getHeader('set-cookie')
  if (cookies === undefined) return []
  return Array.isArray(cookies) ? cookies : [String(cookies)]
}

const errorOf = ({ code, message, errors, retryAfterSeconds, secondStep }: z.output<typeof errorSchema>): ApiError => ({
  code,
  message,
  ...(errors && { errors }),
  ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  ...(secondStep && { secondStep }),
})

type HandlerResult = Result<unknown, ApiError>

/** What was too often, or failed for the moment, may succeed when the caller tries again. */
const passing: ReadonlySet<ProblemCode> = new Set(['too-many-requests', 'unavailable', 'internal', 'unknown-outcome'])
const isFinal = (result: HandlerResult): boolean => result.ok || !passing.has(result.error.code)

/**
 * Carries out a request with an Idempotency-Key once, however often it arrives: a repetition within ten minutes, also at another
 * process, gets the answer to the first one. Undefined for a route that changes nothing or recognizes repetitions itself.
 */
export const createAnswerOnce = (route: AnyRoute, answers: RememberedAnswers) => {
  if (repeatsSafely(route)) return undefined

  const carryOut = async (
    { action, key, request }: { readonly action: string; readonly key: string; readonly request: FastifyRequest },
    reply: FastifyReply,
    run: () => Promise<HandlerResult>,
  ): Promise<HandlerResult> => {
    let result: HandlerResult
    try {
      result = await run()
    } catch (error) {
      await answers.forget(action)
      throw error
    }
    if (!isFinal(result)) {
      await answers.forget(action)
      return result
    }
    const body = result.ok ? (typeof result.value === 'string' ? result.value : JSON.stringify(result.value)) : ''
    const kept = result.ok ? { ok: true as const, body } : { ok: false as const, error: result.error }
    await answers.remember(
      action,
      seal(key, answerSchema.parse({ request: fingerprintOf(request), cookies: cookiesOf(reply), result: kept })),
    )
    return result
  }

  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    run: () => Promise<HandlerResult>,
  ): Promise<HandlerResult> => {
    const { data: key } = idempotencyKeySchema.safeParse(request.headers[idempotencyKeyHeader])
    if (key === undefined) return run()
    const action = actionOf(request, key)
    const deadlineMs = performance.now() + waitMs
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const begun = await answers.begin(action)
      if (begun.kind === 'begun') return carryOut({ action, key, request }, reply, run)
      if (begun.kind === 'answered') {
        const { request: fingerprint, cookies, result } = unseal(key, begun.answer)
        if (fingerprint !== fingerprintOf(request)) return rejected(keyUsedForAnotherRequest)
        if (cookies.length > 0) reply.header('set-cookie', cookies)
        return result.ok ? ok(result.body) : rejected(errorOf(result.error))
      }
      if (performance.now() > deadlineMs) return rejected(apiErrors.unavailable)
      await sleep(pauseMs)
    }
  }
}
