import { endedSessionsSchema, encryptedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema } from '@portal/contracts/auth/user'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** The fields of each event, so that the published login event is complete. */
const login = { userId: userIdSchema, role: roleSchema, emailIndex: z.string(), credential: encryptedTextSchema }

export const userEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('UserRegistered'),
    data: z.object({
      userId: userIdSchema,
      role: roleSchema,
      /** Keyed hash of the e-mail address. */
      emailIndex: z.string(),
      /** JSON of a Profile. */
      profile: encryptedTextSchema,
      /** argon2id hash. */
      credential: encryptedTextSchema,
      /** False if only a code sent to the mobile number confirmed the registration. */
      emailVerified: z.boolean().optional(),
    }),
  }),
  z.object({
    type: z.literal('UserProfileChanged'),
    data: z.object({
      userId: userIdSchema,
      profile: encryptedTextSchema,
      /** Nothing but the language of notifications changed. */
      isLanguageOnly: z.literal(true).optional(),
    }),
  }),
  z.object({
    type: z.literal('UserPasswordChanged'),
    data: z.object({
      ...login,
      /** Absent if an operator set the password. */
      endsSessions: endedSessionsSchema.optional(),
    }),
  }),
  /** The same password, hashed again because the hashing cost was raised. */
  z.object({ type: z.literal('UserCredentialRehashed'), data: z.object(login) }),
  z.object({
    type: z.literal('UserRoleChanged'),
    data: z.object({
      ...login,
      /** The operating-system user name of the operator, or the user id of the admin who is also the actor. */
      by: z.string().min(1).max(200),
    }),
  }),
  /** Keeps address and password. `reason` is what the admin typed, encrypted with the key of the user. */
  z.object({
    type: z.literal('UserDeactivated'),
    data: z.object({ userId: userIdSchema, reason: encryptedTextSchema }),
  }),
  z.object({ type: z.literal('UserReactivated'), data: z.object({ userId: userIdSchema }) }),
  /** An admin ended the earlier sessions. */
  z.object({ type: z.literal('UserSessionsEnded'), data: z.object({ userId: userIdSchema }) }),
  /** The owner took the address back. This user can no longer log in. */
  z.object({ type: z.literal('UserEmailReleased'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  z.object({ type: z.literal('UserErased'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
])
export type UserEvent = z.infer<typeof userEventSchema>
