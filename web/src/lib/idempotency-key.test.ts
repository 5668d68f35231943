import { idempotencyKeySchema } from '@portal/contracts/shared/idempotency'
import { describe, expect, it } from 'vitest'
import { keyedRequest } from './idempotency-key.ts'
import { randomKey } from './random-hex.ts'

const body = { title: 'Exam', userIds: ['a', 'b'] }

describe('the idempotency key', () => {
  it('is reused only for a retry with the same body', () => {
    const first = keyedRequest(undefined, body, () => 'key-1')
    expect(keyedRequest(first, { ...body }, () => 'key-2').key).toBe('key-1')
    expect(keyedRequest(first, { ...body, userIds: ['a'] }, () => 'key-2').key).toBe('key-2')
    expect(keyedRequest(undefined, body, () => 'key-2').key).toBe('key-2')
  })

  it('matches the server’s schema and is random', () => {
    expect(idempotencyKeySchema.parse(randomKey())).toHaveLength(32)
    expect(randomKey()).not.toBe(randomKey())
  })
})
