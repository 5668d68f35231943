import { sealedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema } from '@portal/contracts/auth/user'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { userIdSchema } from '@portal/contracts/shared/ids'
import type { DocumentRef } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'

const collection = 'login'

/** What a log-in needs to know, found by the e-mail address. */
export const loginSchema = z.object({ userId: userIdSchema, role: roleSchema, credential: sealedTextSchema })
export type Login = z.infer<typeof loginSchema>

export const loginRef = (emailIndex: string): DocumentRef => ({
  partition: bucketKey(emailIndex),
  collection,
  key: emailIndex,
})

export const loginProjection = authProjection(
  { name: 'logins' },
  ['LoginGranted', 'LoginRevoked'],
  async ({ event, partition }, view) => {
    switch (event.type) {
      case 'LoginGranted': {
        const { emailIndex, userId, role, credential } = event.data
        return [{ op: 'put', collection, key: emailIndex, value: { userId, role, credential } satisfies Login }]
      }
      case 'LoginRevoked': {
        const { emailIndex: key, userId } = event.data
        const granted = await view.get({ partition, collection, key })
        // The address may have another user by now.
        const isTheirs = granted !== undefined && loginSchema.parse(granted).userId === userId
        return isTheirs ? [{ op: 'delete', collection, key }] : []
      }
    }
  },
)
