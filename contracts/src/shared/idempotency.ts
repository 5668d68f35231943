import { z } from 'zod'
import { idempotencyKeyHeader, routeError } from './route.ts'

export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'Idempotency-Key must be 1 to 128 visible ASCII characters')

/** The same key with another request. */
export const keyUsedForAnotherRequest = routeError('conflict', 'This Idempotency-Key was used for another request')

/**
 * The `headers` of every route that changes something. The same key with the same request returns the first response; with another
 * one it is a conflict.
 */
export const idempotencyHeaders = z.object({ [idempotencyKeyHeader]: idempotencyKeySchema.optional() })

/** The `headers` of a route that needs a key, because its answer must not be lost. */
export const requiredIdempotencyHeaders = z.object({
  [idempotencyKeyHeader]: z.string('Idempotency-Key is required').pipe(idempotencyKeySchema),
})
