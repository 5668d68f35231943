import { z } from 'zod'

export const idempotencyKeyHeader = 'idempotency-key'

export const idempotencyKeySchema = z
  .string()
  .regex(/^[\x21-\x7e]{1,128}$/, 'Idempotency-Key must be 1 to 128 visible ASCII characters')

/**
 * For the `headers` of a route that may be repeated: the same key and body get the same answer, the same key with another body
 * a conflict.
 */
export const idempotencyHeaders = z.object({ [idempotencyKeyHeader]: idempotencyKeySchema.optional() })
