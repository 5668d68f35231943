import { maxApiKeys } from '@portal/contracts/auth/api-keys'
import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type ApiKeyId, apiKeyIdSchema, type UserId } from '@portal/contracts/shared/ids'
import { apiKeyRights } from '@portal/contracts/auth/api-key-rights'
import type { ReadModelView } from '@portal/platform/projection/projection'
import type { ReadStore, Write } from '@portal/platform/read-model/port'
import { apiKeyCollection, apiKeysProjectionRef, type ValidApiKey } from '@portal/platform/session/api-key'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'

/** The keys of an admin in the order in which they were created. */
const listOf = (userId: UserId): string => `api-keys:${userId}`

const entrySchema = z.object({
  label: encryptedTextSchema,
  rights: z.array(z.enum(apiKeyRights)),
  keyHash: z.string(),
  createdAt: z.iso.datetime(),
  lastUsedOn: z.iso.date().optional(),
})
type Entry = z.infer<typeof entrySchema>

const headSchema = z.object({ lastScore: z.number().int() })
const heads = 'api-keys-head'

const removed = (userId: UserId, member: string, { keyHash }: Entry): readonly Write[] => [
  { op: 'remove', list: listOf(userId), member },
  { op: 'delete', collection: apiKeyCollection, key: keyHash },
]

const allOf = async (view: Pick<ReadModelView, 'range'>, partition: string, userId: UserId) => {
  const entries = await view.range(partition, listOf(userId), { order: 'descending', limit: maxApiKeys })
  return entries.map(({ member, value }) => ({ member, entry: entrySchema.parse(value) }))
}

/**
 * The keys that are valid: an allowlist, unlike that of ended sessions, because each key is looked up by its hash anyway. It follows the
 * account itself, so that a key stops working with the account and not when its revocation is recorded.
 */
export const apiKeysProjection = authProjection(
  apiKeysProjectionRef,
  [
    'ApiKeyCreated',
    'ApiKeyUsed',
    'ApiKeyRevoked',
    'UserRoleChanged',
    'UserDeactivated',
    'UserEmailReleased',
    'UserErased',
  ],
  async ({ event, partition, at }, view) => {
    const { userId } = event.data
    const list = listOf(userId)
    switch (event.type) {
      case 'ApiKeyCreated': {
        const { keyId, label, rights, keyHash } = event.data
        const head = await view.get({ partition, collection: heads, key: userId })
        const score = headSchema.parse(head ?? { lastScore: 0 }).lastScore + 1
        return [
          { op: 'put', collection: apiKeyCollection, key: keyHash, value: { keyId, rights } satisfies ValidApiKey },
          { op: 'add', list, member: keyId, score, value: { label, rights, keyHash, createdAt: at } satisfies Entry },
          { op: 'put', collection: heads, key: userId, value: { lastScore: score } },
        ]
      }
      case 'ApiKeyUsed': {
        const { keyId, day } = event.data
        const found = await view.entry(partition, list, keyId)
        if (!found) return []
        const value: Entry = { ...entrySchema.parse(found.value), lastUsedOn: day }
        return [{ op: 'add', list, member: keyId, score: found.score, value }]
      }
      case 'ApiKeyRevoked': {
        const { keyId } = event.data
        const found = await view.entry(partition, list, keyId)
        return found ? removed(userId, keyId, entrySchema.parse(found.value)) : []
      }
      case 'UserRoleChanged':
      case 'UserDeactivated':
      case 'UserEmailReleased':
      case 'UserErased': {
        const keys = await allOf(view, partition, userId)
        return keys.flatMap(({ member, entry }) => removed(userId, member, entry))
      }
    }
  },
)

export type ListedApiKey = Omit<Entry, 'keyHash'> & { readonly id: ApiKeyId }

/** Newest first. */
export const readApiKeys = async (readModel: ReadStore, userId: UserId): Promise<readonly ListedApiKey[]> => {
  const keys = await allOf(readModel, bucketKey(userId), userId)
  return keys.map(({ member, entry: { label, rights, createdAt, lastUsedOn } }) => ({
    id: apiKeyIdSchema.parse(member),
    label,
    rights,
    createdAt,
    ...(lastUsedOn !== undefined && { lastUsedOn }),
  }))
}
