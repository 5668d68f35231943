import { encryptedTextSchema } from '@portal/contracts/auth/events'
import type { NotificationsEvent } from '@portal/contracts/notifications/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { eventTime } from '@portal/contracts/shared/event-envelope'
import { sessionIdSchema, type UserId } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { notificationsEventOf, type NotificationsEventOf } from '../bus-messages.ts'

/** Far more devices than a user has. The newest tokens are kept. */
export const maxTokensPerUser = 20

const collection = 'push-tokens'

export const tokensRef = (userId: UserId): DocumentRef => ({ partition: bucketKey(userId), collection, key: userId })

const userTokenSchema = z.object({
  tokenIndex: z.string(),
  sessionId: sessionIdSchema,
  token: encryptedTextSchema,
  /** With its time, from events that carry a name: others must keep giving the documents of earlier releases. */
  device: z.object({ name: z.string(), addedAt: z.iso.datetime() }).optional(),
  /** Absent until the first use on a later day. */
  usedAt: z.iso.datetime().optional(),
})
export type UserToken = z.infer<typeof userTokenSchema>

const tokensSchema = z.array(userTokenSchema).default([])

/** When the token was last used, as far as it is recorded. */
export const lastUseOf = ({ usedAt, device }: UserToken): string | undefined => usedAt ?? device?.addedAt

/** Oldest first. */
export const tokensOf = (document: unknown): readonly UserToken[] => tokensSchema.parse(document)

const putTokens = (userId: UserId, tokens: readonly UserToken[]): Write =>
  tokens.length === 0
    ? { op: 'delete', collection, key: userId }
    : { op: 'put', collection, key: userId, value: tokens.slice(-maxTokensPerUser) }

type TokenEvent = NotificationsEventOf<
  'PushTokenRegistered' | 'PushTokenUsed' | 'PushTokenRevoked' | 'PushTokenRemoved'
>
const isTokenEvent = (event: NotificationsEvent): event is TokenEvent => event.type.startsWith('PushToken')

/** Push tokens by user. */
export const deviceProjection: Projection = {
  name: 'devices',
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type.startsWith('PushToken') ? key : undefined),
  apply: async (envelope, view) => {
    const event = notificationsEventOf(envelope)
    if (!isTokenEvent(event)) return []
    const { userId, tokenIndex } = event.data
    const tokens = tokensOf(await view.get(tokensRef(userId)))
    if (event.type === 'PushTokenUsed') {
      const usedAt = eventTime(envelope)
      return [
        putTokens(
          userId,
          tokens.map((token) => (token.tokenIndex === tokenIndex ? { ...token, usedAt } : token)),
        ),
      ]
    }
    const others = tokens.filter((token) => token.tokenIndex !== tokenIndex)
    if (event.type !== 'PushTokenRegistered') return [putTokens(userId, others)]
    const { sessionId, token, deviceName } = event.data
    const device = deviceName === undefined ? {} : { device: { name: deviceName, addedAt: eventTime(envelope) } }
    return [putTokens(userId, [...others, { tokenIndex, sessionId, token, ...device }])]
  },
}
