import { idempotencyKeySchema } from '@portal/contracts/shared/idempotency'
import { describe, expect, it } from 'vitest'
import { keyedRequest, randomKey } from './idempotency-key.ts'

const body = { title: 'Exam', userIds: ['a', 'b'] }

describe('the key of an attempt', () => {
  it('stays for a retry of the same, and only for that', () => {
    const first = keyedRequest(undefined, body, () => 'key-1')
    expect(keyedRequest(first, { ...body }, () => 'key-2').key).toBe('key-1')
    expect(keyedRequest(first, { ...body, userIds: ['a'] }, () => 'key-2').key).toBe('key-2')
    expect(keyedRequest(undefined, body, () => 'key-2').key).toBe('key-2')
  })

  it('is one the server accepts, and never the same', () => {
    expect(idempotencyKeySchema.parse(randomKey())).toHaveLength(32)
    expect(randomKey()).not.toBe(randomKey())
  })
})
