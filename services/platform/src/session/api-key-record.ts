import { apiKeyIdSchema, type ApiKeyId, type UserId } from '@portal/contracts/shared/ids'
import { z } from 'zod'
import { deterministicEventId } from '../decider/event-id.ts'
import type { EventStore } from '../event-store/port.ts'
import { streamOf } from '../event-store/stream-name.ts'

export type NamedApiKey = { readonly keyId: ApiKeyId; readonly userId: UserId }

/** The log's last word about API keys. Rejects if the log is unavailable. */
export type ApiKeyRecord = {
  isValid(key: NamedApiKey): Promise<boolean>
  /** Records the first use on a day. A repetition changes nothing. */
  recordUse(key: NamedApiKey, day: string): Promise<void>
}

/** One stream per admin, so that the decider can count the keys. */
export const apiKeysCategory = 'apiKeys'
/** One stream per key, apart from those that are read for decisions and confirmations, because it grows with each day. */
export const apiKeyUseCategory = 'apiKeyUse'

const ofKey = z.object({ keyId: apiKeyIdSchema })

/** What ends the keys of an account. A role that is given back does not bring them back. */
const endsKeys: ReadonlySet<string> = new Set(['UserRoleChanged', 'UserDeactivated', 'UserEmailReleased', 'UserErased'])

/** Reads of the events only their type, their place in the log, and which key they are about. */
export const openApiKeyRecord = (eventStore: Pick<EventStore, 'read' | 'append'>): ApiKeyRecord => ({
  isValid: async ({ keyId, userId }) => {
    let createdAt: string | undefined
    for await (const { type, data, position } of eventStore.read(streamOf(apiKeysCategory, userId))) {
      if (ofKey.safeParse(data).data?.keyId !== keyId) continue
      if (type === 'ApiKeyRevoked') return false
      if (type === 'ApiKeyCreated') createdAt = position
    }
    if (createdAt === undefined) return false
    for await (const { type, position } of eventStore.read(streamOf('user', userId)))
      if (position > createdAt && endsKeys.has(type)) return false
    return true
  },
  recordUse: async ({ keyId, userId }, day) => {
    const id = deterministicEventId('api-key-used', keyId, day)
    await eventStore.append(streamOf(apiKeyUseCategory, keyId), 'any', [
      { id, type: 'ApiKeyUsed', data: { keyId, userId, day } },
    ])
  },
})
