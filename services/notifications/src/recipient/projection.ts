import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef } from '@portal/platform/read-model/port'
import { authEventOf } from '../bus-messages.ts'

/** Erased users stay on record as such: 'not heard of yet' and 'gone for good' are different things to a delivery. */
export type RecipientStatus = 'known' | 'erased'

const collection = 'recipient'

export const recipientRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection,
  key: userId,
})

/** Whom something can be sent to. */
export const recipientProjection: Projection = {
  name: 'recipients',
  topics: ['auth'],
  partitionOf: ({ type, key }) => (type === 'UserRegistered' || type === 'UserErased' ? key : undefined),
  apply: async (envelope) => {
    const event = authEventOf(envelope)
    switch (event.type) {
      case 'UserRegistered':
        return [{ op: 'put', collection, key: event.data.userId, value: 'known' satisfies RecipientStatus }]
      case 'UserErased':
        return [{ op: 'put', collection, key: event.data.userId, value: 'erased' satisfies RecipientStatus }]
      default:
        return []
    }
  },
}
