import { bucketKey } from '@portal/contracts/shared/buckets'
import type { UserId } from '@portal/contracts/shared/ids'
import type { Projection } from '@portal/platform/projection/projection'
import type { DocumentRef } from '@portal/platform/read-model/port'
import { notificationsEventOf } from '../bus-messages.ts'
import { put } from '../read-model.ts'

export const preferencesRef = (userId: UserId): DocumentRef => ({
  partition: bucketKey(userId),
  collection: 'preferences',
  key: userId,
})

/** The preferences of users who have chosen something. */
export const preferencesProjection: Projection = {
  name: 'preferences',
  topics: ['notifications'],
  partitionOf: ({ type, key }) => (type === 'PreferencesChanged' ? key : undefined),
  apply: async (envelope) => {
    const event = notificationsEventOf(envelope)
    if (event.type !== 'PreferencesChanged') return []
    return [put(preferencesRef(event.data.userId), event.data.preferences)]
  },
}
