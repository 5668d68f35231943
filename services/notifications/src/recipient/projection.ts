import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef } from '@portal/platform/read-model/port'
import { authEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'

/** Erased users stay on record as such: 'not heard of yet' and 'gone for good' are different things to a delivery. */
type RecipientStatus = 'known' | 'erased'

export const recipientRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'recipient',
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
        return [put(recipientRef(event.data.userId), 'known' satisfies RecipientStatus)]
      case 'UserErased':
        return [put(recipientRef(event.data.userId), 'erased' satisfies RecipientStatus)]
      default:
        return []
    }
  },
}
