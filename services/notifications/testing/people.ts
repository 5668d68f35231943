import { type AuthEvent, authEventSchema, encryptedTextSchema } from '@portal/contracts/auth/events'
import type { Role } from '@portal/contracts/auth/user'
import { bucketKey } from '@portal/contracts/shared/buckets'
import { type SessionId, sessionIdSchema, type UserId, userIdSchema } from '@portal/contracts/shared/ids'
import type { Publisher } from '@portal/platform/bus/publisher'
import type { EventStore } from '@portal/platform/event-store/port'
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

export const registered = (userId: UserId, role: Role): AuthEvent => ({
  type: 'UserRegistered',
  data: {
    userId,
    role,
    emailIndex: 'index',
    profile: encryptedTextSchema.parse('encrypted'),
  },
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
