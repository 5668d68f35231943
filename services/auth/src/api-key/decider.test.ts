import { maxApiKeys } from '@portal/contracts/auth/api-keys'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { apiKeyIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, test } from 'vitest'
import { apiKeysDecider } from './decider.ts'
import type { ApiKeyEvent } from './events.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const keyId = (n: number) => apiKeyIdSchema.parse(`01980000-0000-7000-8000-0000000001${String(n).padStart(2, '0')}`)
const details = { label: encryptedTextSchema.parse('label'), rights: ['send' as const], keyHash: 'hash' }
const create = (n: number) => ({ type: 'CreateApiKey', keyId: keyId(n), userId, ...details }) as const
const revoke = (n: number) => ({ type: 'RevokeApiKey', keyId: keyId(n), userId }) as const
const created = (n: number): ApiKeyEvent => ({ type: 'ApiKeyCreated', data: { keyId: keyId(n), userId, ...details } })
const revoked = (n: number, reason: 'revoked' | 'erased' = 'revoked'): ApiKeyEvent => ({
  type: 'ApiKeyRevoked',
  data: { keyId: keyId(n), userId, reason },
})
const many = (count: number) => Array.from({ length: count }, (_, n) => created(n))

const { given } = specification(apiKeysDecider)

describe('an API key', () => {
  test('is created with its label, its rights and the hash of its secret', () => {
    given([])
      .when(create(1))
      .then([created(1)])
  })
  test('is one of ten at most, of which revoked ones are none', () => {
    given(many(maxApiKeys - 1))
      .when(create(50))
      .then([created(50)])
    given(many(maxApiKeys)).when(create(50)).thenRejected('too-many-keys')
    given([...many(maxApiKeys), revoked(3)])
      .when(create(50))
      .then([created(50)])
  })
  test('is revoked once', () => {
    given([created(1), created(2)])
      .when(revoke(1))
      .then([revoked(1)])
    given([created(1), revoked(1)])
      .when(revoke(1))
      .thenRejected('no-such-key')
    given([]).when(revoke(1)).thenRejected('no-such-key')
  })
  test('is revoked with all others when the admin is none any more', () => {
    const command = { type: 'RevokeAllApiKeys', userId, reason: 'erased' } as const
    given([created(1), created(2), revoked(1), created(3)])
      .when(command)
      .then([revoked(2, 'erased'), revoked(3, 'erased')])
    given([]).when(command).then([])
  })
})
