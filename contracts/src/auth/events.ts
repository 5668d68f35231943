import { z } from 'zod'
import { sessionIdSchema, userIdSchema } from '../shared/ids.ts'
import { roleSchema } from './user.ts'

/** Text encrypted with a key of the user's own (AES-256-GCM, base64url). Unreadable once that key is destroyed. */
export const encryptedTextSchema = z.string().brand<'EncryptedText'>()
export type EncryptedText = z.infer<typeof encryptedTextSchema>

/** 'superseded': the user has logged in on so many devices since that the oldest session had to go. */
export const sessionEndReasons = [
  'logged-out',
  'password-changed',
  'password-reset',
  'role-changed',
  'email-reclaimed',
  'erased',
  'superseded',
] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** A new password or role ends every session that began before it, except the one that asked for the change. */
export const endedSessionsSchema = z.object({
  reason: z.enum(['password-changed', 'password-reset', 'role-changed', 'email-reclaimed']),
  except: sessionIdSchema.optional(),
})
export type EndedSessions = z.infer<typeof endedSessionsSchema>

/**
 * What the auth context tells the others. Personal data and credentials travel sealed; the e-mail address is found
 * by `emailIndex`, a keyed hash. Key on the bus: the bucket of the user id, but for RegistrationCompleted,
 * LoginGranted and LoginRevoked, which are found by e-mail address and keyed by the bucket of `emailIndex`.
 */
export const authEventSchema = z.discriminatedUnion('type', [
  /** The address belongs to the user; UserRegistered follows. */
  z.object({
    type: z.literal('RegistrationCompleted'),
    data: z.object({ emailIndex: z.string(), userId: userIdSchema }),
  }),
  z.object({
    type: z.literal('UserRegistered'),
    data: z.object({
      userId: userIdSchema,
      role: roleSchema,
      emailIndex: z.string(),
      /** JSON of fullName, personalEmail, mobileNumber, universityName, studentCode. */
      profile: encryptedTextSchema,
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
    data: z.object({ userId: userIdSchema, endsSessions: endedSessionsSchema.optional() }),
  }),
  /** Every session that began before is over. LoginGranted with the same role follows. */
  z.object({ type: z.literal('UserRoleChanged'), data: z.object({ userId: userIdSchema, role: roleSchema }) }),
  /** The user has shown that they read what is mailed to their address. */
  z.object({ type: z.literal('EmailProved'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  /** The owner of the address took it back: the user has no login any more, and every session that began before is over. */
  z.object({ type: z.literal('UserEmailReleased'), data: z.object({ userId: userIdSchema }) }),
  z.object({ type: z.literal('UserErased'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  /** From now on, whoever knows this address and password is this user. Replaces what was granted before. */
  z.object({
    type: z.literal('LoginGranted'),
    data: z.object({
      emailIndex: z.string(),
      userId: userIdSchema,
      role: roleSchema,
      /** argon2id hash. */
      credential: encryptedTextSchema,
    }),
  }),
  z.object({ type: z.literal('LoginRevoked'), data: z.object({ emailIndex: z.string(), userId: userIdSchema }) }),
  z.object({
    type: z.literal('SessionStarted'),
    data: z.object({ sessionId: sessionIdSchema, userId: userIdSchema, expiresAt: z.iso.datetime() }),
  }),
  z.object({
    type: z.literal('SessionEnded'),
    data: z.object({
      sessionId: sessionIdSchema,
      userId: userIdSchema,
      /** When its token would have expired by itself: after that nobody needs to remember that it was ended. */
      expiresAt: z.iso.datetime().optional(),
      reason: z.enum(sessionEndReasons),
    }),
  }),
])
export type AuthEvent = z.infer<typeof authEventSchema>
