import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef } from '@portal/platform/read-model/port'
import { authEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'

/** Erased users keep a document: delivery must distinguish 'not projected yet' from 'erased'. */
type RecipientStatus = 'known' | 'erased'

export const recipientRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'recipient',
  key: userId,
})

/** The users who can receive campaigns. */
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
