import { type AuthEvent, authEventSchema, type EncryptedText, encryptedTextSchema } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'
import { type CatalogEvent, catalogEventSchema } from '@portal/contracts/catalog/events'
import { bucketKey } from '@portal/contracts/shared/buckets'
import {
  apiKeyIdSchema,
  type SessionId,
  sessionIdSchema,
  type UserId,
  userIdSchema,
} from '@portal/contracts/shared/ids'
import { type ApiKeyRight, apiKeyRights } from '@portal/contracts/auth/api-key-rights'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { EventStore } from '@portal/platform/event-store/port'
import type { PersonalDataVault } from '@portal/platform/personal-data/port'
import type { ApiKeyVerifier } from '@portal/platform/session/api-key-verifier'
import type { Session, SessionVerifier } from '@portal/platform/session/session'
import type { Projection } from '@portal/platform/projection/projection'
import { systemClockAndIds } from '@portal/platform/decider/clock-and-ids'
import { endedSessionRef, sessionsProjectionRef } from '@portal/platform/session/session-denylist'

/** A test user with a session. */
export type Person = { readonly userId: UserId; readonly sessionId: SessionId; readonly role: Role }

/** Tokens that contain the user in clear text. */
export const tokenOf = ({ userId, sessionId, role }: Person): string => `${role}.${userId}.${sessionId}`

export const plainSessions: SessionVerifier = {
  verify: async (token): Promise<Session | undefined> => {
    const [role, userId, sessionId] = token.split('.')
    if (role !== 'admin' && role !== 'student' && role !== 'faculty') return undefined
    return {
      role,
      userId: userIdSchema.parse(userId),
      sessionId: sessionIdSchema.parse(sessionId),
      expiresAt: new Date(Date.now() + 60_000),
    }
  },
}

/** API keys that contain the right and the admin in clear text. */
export const apiKeyOf = ({ userId }: Pick<Person, 'userId'>, right: ApiKeyRight): string => `pk_${right}.${userId}`

export const plainApiKeys: ApiKeyVerifier = {
  verify: async (key) => {
    const [right, userId] = key.slice(3).split('.')
    const rights = apiKeyRights.filter((known) => known === right)
    const apiKeyId = apiKeyIdSchema.parse('01980000-0000-7000-8000-00000000000f')
    return { role: 'admin', userId: userIdSchema.parse(userId), apiKeyId, rights }
  },
}

/** Replaces the auth context: publishes events of `user-` streams unchanged. */
export const authPublisher: Publisher = {
  category: 'user',
  topics: ['auth'],
  publish: ({ type, data }) => {
    const event = authEventSchema.parse({ type, data })
    const key = 'userId' in event.data ? bucketKey(event.data.userId) : 'none'
    return [{ topic: 'auth', key, ...event }]
  },
}

export const recordAuthEvents = async (
  store: Pick<EventStore, 'append'>,
  userId: UserId,
  ...events: readonly AuthEvent[]
): Promise<void> => {
  await store.append(
    `user-${userId}`,
    'any',
    events.map((event) => ({ id: systemClockAndIds.newId(), ...event })),
  )
}

/** Replaces the catalog context: publishes events of `catalog-` streams unchanged. */
export const catalogPublisher: Publisher = {
  category: 'catalog',
  topics: ['catalog'],
  publish: ({ type, data }) => {
    const event = catalogEventSchema.parse({ type, data })
    const key = 'userId' in event.data ? bucketKey(event.data.userId) : 'programs'
    return [{ topic: 'catalog', key, ...event }]
  },
}

export const recordCatalogEvents = async (
  store: Pick<EventStore, 'append'>,
  ...events: readonly CatalogEvent[]
): Promise<void> => {
  const recorded = events.map((event) => ({ id: systemClockAndIds.newId(), ...event }))
  await store.append('catalog-all', 'any', recorded)
}

/** The decrypted profile of a user, as the auth context records it. */
export type TestProfile = {
  readonly fullName: string
  readonly personalEmail: string
  readonly universityName: string
  readonly studentCode: string
  readonly notificationLanguage?: string
}

export const profileAt = (n: number): TestProfile => ({
  fullName: `Learner ${n}`,
  personalEmail: `learner${n}@example.com`,
  universityName: 'Eastbrook University',
  studentCode: `MIN-2026-${String(n).padStart(4, '0')}`,
})

export const encryptProfile = (
  vault: Pick<PersonalDataVault, 'encrypt'>,
  userId: UserId,
  profile: TestProfile,
): Promise<EncryptedText> => vault.encrypt(userId, JSON.stringify({ ...profile, mobileNumber: '' }))

/** Records a registration; by default with a profile that cannot be decrypted. */
export const registered = (
  userId: UserId,
  role: Role,
  profile: EncryptedText = encryptedTextSchema.parse('encrypted'),
): AuthEvent => ({
  type: 'UserRegistered',
  data: { userId, role, emailIndex: 'index', profile },
})

/** Replaces the auth context's session denylist. */
export const endedSessionsProjection: Projection = {
  ...sessionsProjectionRef,
  topics: ['auth'],
  partitionOf: ({ type, key }) => (type === 'SessionEnded' ? key : undefined),
  apply: async ({ type, data }) => {
    const event = authEventSchema.parse({ type, data })
    if (event.type !== 'SessionEnded') return []
    const { collection, key } = endedSessionRef(event.data)
    return [{ op: 'put', collection, key, value: {} }]
  },
}
