import { createHash, randomBytes } from 'node:crypto'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { apiKeyIdSchema, type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import { apiKeyRights } from '@portal/contracts/auth/api-key-rights'
import { z } from 'zod'
import type { DocumentRef } from '../read-model/port.ts'

/** Recognizable, so that scanners find keys that were published by mistake. */
const prefix = 'pk_'
/** 16 bytes of a user id and 32 random ones. */
const wellFormed = /^pk_([\w-]{22})([\w-]{43})$/

/** What a key proves: it names its admin, so that the key is looked up in the admin's partition. */
export type ApiKeyProof = { readonly userId: UserId; readonly keyHash: string }

export const isApiKey = (token: string): boolean => token.startsWith(prefix)

/** No salt and no slow hash: the secret has 256 random bits. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

export const newApiKey = (userId: UserId): { readonly key: string; readonly keyHash: string } => {
  const owner = Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
  const secret = randomBytes(32).toString('base64url')
  return { key: `${prefix}${owner}${secret}`, keyHash: hashOf(secret) }
}

/** Undefined for a token that is no API key. */
export const proofOf = (token: string): ApiKeyProof | undefined => {
  const [, owner = '', secret = ''] = wellFormed.exec(token) ?? []
  const hex = Buffer.from(owner, 'base64url').toString('hex')
  const userId = userIdSchema.safeParse(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')).data
  return userId && { userId, keyHash: hashOf(secret) }
}

/**
 * The read model of API keys that are valid. Defined here because auth writes it and every process that serves calls reads it.
 */
export const apiKeysProjectionRef = { name: 'api-keys', version: 1 } as const

export const apiKeyCollection = 'api-key'

export const validApiKeySchema = z.object({ keyId: apiKeyIdSchema, rights: z.array(z.enum(apiKeyRights)) })
export type ValidApiKey = z.infer<typeof validApiKeySchema>

export const apiKeyRef = ({ userId, keyHash }: ApiKeyProof): DocumentRef => ({
  partition: bucketKey(userId),
  collection: apiKeyCollection,
  key: keyHash,
})
