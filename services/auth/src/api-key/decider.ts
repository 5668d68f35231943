import { maxApiKeys } from '@portal/contracts/auth/api-keys'
import type { EncryptedText } from '@portal/contracts/auth/events'
import type { ApiKeyId, UserId } from '@portal/contracts/shared/ids'
import type { ApiKeyRight } from '@portal/contracts/auth/api-key-rights'
import { type Decider, ok, rejected } from '@portal/platform/decider/decider'
import { storedEventReader } from '@portal/platform/decider/stored-event'
import { apiKeysCategory } from '@portal/platform/session/api-key-record'
import { type ApiKeyEvent, apiKeyEventSchema } from './events.ts'

type RevocationReason = Extract<ApiKeyEvent, { type: 'ApiKeyRevoked' }>['data']['reason']

export type ApiKeyCommand =
  | {
      readonly type: 'CreateApiKey'
      readonly keyId: ApiKeyId
      readonly userId: UserId
      readonly label: EncryptedText
      readonly rights: readonly ApiKeyRight[]
      readonly keyHash: string
    }
  | { readonly type: 'RevokeApiKey'; readonly keyId: ApiKeyId; readonly userId: UserId }
  /** The account is no longer an active admin. */
  | { readonly type: 'RevokeAllApiKeys'; readonly userId: UserId; readonly reason: RevocationReason }

/** The keys that are not revoked, oldest first. */
type ApiKeysState = readonly ApiKeyId[]

export type ApiKeyRejection = 'too-many-keys' | 'no-such-key'

/** One stream per admin. The limit is per admin and not per portal, so that no admin uses up the keys of the others. */
export const apiKeysDecider: Decider<ApiKeysState, ApiKeyCommand, ApiKeyEvent, ApiKeyRejection> = {
  category: apiKeysCategory,
  initial: [],

  decide(command, keys) {
    const { userId } = command
    switch (command.type) {
      case 'CreateApiKey': {
        if (keys.length >= maxApiKeys) return rejected('too-many-keys')
        const { keyId, label, rights, keyHash } = command
        return ok([{ type: 'ApiKeyCreated', data: { keyId, userId, label, rights: [...rights], keyHash } }])
      }
      case 'RevokeApiKey': {
        const { keyId } = command
        if (!keys.includes(keyId)) return rejected('no-such-key')
        return ok([{ type: 'ApiKeyRevoked', data: { keyId, userId, reason: 'revoked' } }])
      }
      case 'RevokeAllApiKeys': {
        const { reason } = command
        return ok(keys.map((keyId) => ({ type: 'ApiKeyRevoked', data: { keyId, userId, reason } })))
      }
    }
  },

  evolve: (keys, { type, data }) =>
    type === 'ApiKeyCreated' ? [...keys, data.keyId] : keys.filter((keyId) => keyId !== data.keyId),

  parse: storedEventReader(apiKeyEventSchema),
}
