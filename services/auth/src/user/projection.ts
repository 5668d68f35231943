import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema } from '@portal/contracts/auth/user'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { userIdSchema } from '@portal/contracts/shared/ids'
import type { DocumentRef, Write } from '@portal/platform/read-model/port'
import { z } from 'zod'
import { authProjection } from '../auth-projection.ts'

const collection = 'login'

/** The data for a login, by e-mail address. */
export const loginSchema = z.object({ userId: userIdSchema, role: roleSchema, credential: encryptedTextSchema })
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

/** The users of a bucket. Members are user ids, scores follow the order of registration, values are DirectoryEntry. */
export const userList = 'users'

export const directoryEntrySchema = z.object({
  role: roleSchema,
  profile: encryptedTextSchema,
  emailVerified: z.literal(false).optional(),
})
export type DirectoryEntry = z.infer<typeof directoryEntrySchema>

const headSchema = z.object({ lastScore: z.number().int(), changes: z.number().int() })

/** `changes` counts the changes of users of the bucket, so that readers can tell whether their copy is current. */
type DirectoryHead = z.infer<typeof headSchema>

const headRef = { collection: 'user-list-head', key: 'head' } as const

export const directoryHeadRef = (bucket: string): DocumentRef => ({ partition: bucket, ...headRef })

export const directoryHeadOf = (document: unknown): DirectoryHead =>
  document === undefined ? { lastScore: 0, changes: 0 } : headSchema.parse(document)

const putHead = (head: DirectoryHead): Write => ({ op: 'put', ...headRef, value: head })

/** All users. */
export const directoryProjection = authProjection(
  { name: 'users' },
  ['UserRegistered', 'UserProfileChanged', 'UserRoleChanged', 'EmailProved', 'UserEmailReleased', 'UserErased'],
  async ({ event, partition }, view) => {
    const { userId } = event.data
    const head = directoryHeadOf(await view.get(directoryHeadRef(partition)))
    const known = await view.entry(partition, userList, userId)
    const changed = { ...head, changes: head.changes + 1 }
    const put = (score: number, value: DirectoryEntry): Write => ({
      op: 'add',
      list: userList,
      member: userId,
      score,
      value,
    })
    switch (event.type) {
      case 'UserRegistered': {
        const { role, profile, emailVerified } = event.data
        const lastScore = head.lastScore + 1
        return [
          put(lastScore, { role, profile, ...(emailVerified === false && { emailVerified }) }),
          putHead({ ...changed, lastScore }),
        ]
      }
      case 'UserProfileChanged': {
        if (!known) return []
        const entry = directoryEntrySchema.parse(known.value)
        return [put(known.score, { ...entry, profile: event.data.profile }), putHead(changed)]
      }
      case 'UserRoleChanged': {
        if (!known) return []
        const entry = directoryEntrySchema.parse(known.value)
        return [put(known.score, { ...entry, role: event.data.role }), putHead(changed)]
      }
      case 'EmailProved': {
        if (!known) return []
        const { role, profile } = directoryEntrySchema.parse(known.value)
        return [put(known.score, { role, profile }), putHead(changed)]
      }
      case 'UserEmailReleased':
      case 'UserErased':
        return known ? [{ op: 'remove', list: userList, member: userId }, putHead(changed)] : []
    }
  },
)
