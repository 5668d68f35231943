import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { sessionIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { notificationsEventOf } from '../bus-messages.ts'

/** Far more devices than a user has. The newest tokens are kept. */
export const maxTokensPerUser = 20

const collection = 'push-tokens'

export const tokensRef = (userId: UserId): DocumentRef => ({ partition: bucketKey(userId), collection, key: userId })

const userTokenSchema = z.object({ tokenIndex: z.string(), sessionId: sessionIdSchema, token: encryptedTextSchema })
export type UserToken = z.infer<typeof userTokenSchema>

const tokensSchema = z.array(userTokenSchema).default([])

/** Oldest first. */
export const tokensOf = (document: unknown): readonly UserToken[] => tokensSchema.parse(document)

const putTokens = (userId: UserId, tokens: readonly UserToken[]): Write =>
  tokens.length === 0
    ? { op: 'delete', collection, key: userId }
    : { op: 'put', collection, key: userId, value: tokens.slice(-maxTokensPerUser) }

/** Push tokens by user. */
export const deviceProjection: Projection = {
  name: 'devices',
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type.startsWith('PushToken') ? key : undefined),
  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    if (event.type !== 'PushTokenRegistered' && event.type !== 'PushTokenRemoved') return []
    const { userId, tokenIndex } = event.data
    const others = tokensOf(await view.get(tokensRef(userId))).filter((token) => token.tokenIndex !== tokenIndex)
    if (event.type === 'PushTokenRemoved') return [putTokens(userId, others)]
    const { sessionId, token } = event.data
    return [putTokens(userId, [...others, { tokenIndex, sessionId, token }])]
  },
}
