import type { AuthEvent } from '@portal/contracts/auth/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef } from '@portal/platform/read-model/port'
import { authEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'

/** Others than 'known' get no campaign. They keep a document: senders must distinguish them from 'not projected yet'. */
type RecipientStatus = 'known' | 'deactivated' | 'erased'

export const recipientRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'recipient',
  key: userId,
})

const statusAfter = {
  UserRegistered: 'known',
  UserDeactivated: 'deactivated',
  UserReactivated: 'known',
  UserErased: 'erased',
} as const satisfies Partial<Record<AuthEvent['type'], RecipientStatus>>

const isStatusType = (type: string): type is keyof typeof statusAfter => Object.hasOwn(statusAfter, type)

/** The users who can receive campaigns. */
export const recipientProjection: Projection = {
  name: 'recipients',
  topics: ['auth'],
  partitionOf: ({ type, key }) => (isStatusType(type) ? key : undefined),
  apply: async (envelope) => {
    const { type, data } = authEventOf(envelope)
    return isStatusType(type) && 'userId' in data ? [put(recipientRef(data.userId), statusAfter[type])] : []
  },
}
