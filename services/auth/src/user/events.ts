import { endedSessionsSchema, encryptedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema } from '@portal/contracts/auth/user'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** So that what is published about a log-in is complete in each event. */
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
      /** False where a code sent to the mobile number alone confirmed the registration. */
      emailVerified: z.boolean().optional(),
    }),
  }),
  z.object({
    type: z.literal('UserProfileChanged'),
    data: z.object({ userId: userIdSchema, profile: encryptedTextSchema }),
  }),
  z.object({
    type: z.literal('UserPasswordChanged'),
    data: z.object({
      ...login,
      /** None where the portal's operator set it. */
      endsSessions: endedSessionsSchema.optional(),
    }),
  }),
  /** The same password, hashed anew because the cost of hashing was raised. */
  z.object({ type: z.literal('UserCredentialRehashed'), data: z.object(login) }),
  z.object({
    type: z.literal('UserRoleChanged'),
    data: z.object({
      ...login,
      /** The operating system's name of the operator who ran the command. */
      by: z.string().min(1).max(200),
    }),
  }),
  /** The owner of the address took it back: nobody logs in as this user any more. */
  z.object({ type: z.literal('UserEmailReleased'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  z.object({ type: z.literal('UserErased'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
])
export type UserEvent = z.infer<typeof userEventSchema>
