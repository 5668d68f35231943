import { z } from 'zod'

export const idempotencyKeyHeader = 'idempotency-key'

export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'Idempotency-Key must be 1 to 128 visible ASCII characters')

/**
 * For the `headers` of a retryable route. The same key with the same body returns the first response; with another
 * body it is a conflict.
 */
export const idempotencyHeaders = z.object({ [idempotencyKeyHeader]: idempotencyKeySchema.optional() })

/** For the `headers` of a route that needs a key, because its answer must not be lost. */
export const requiredIdempotencyHeaders = z.object({
  [idempotencyKeyHeader]: z.string('Idempotency-Key is required').pipe(idempotencyKeySchema),
})
