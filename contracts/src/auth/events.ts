import { z } from 'zod'
import { apiKeyIdSchema, sessionIdSchema, userIdSchema } from '../shared/ids.ts'
import { apiKeyRights } from './api-key-rights.ts'
import { roleSchema } from './user.ts'

/** Text encrypted with a per-user key (AES-256-GCM, base64url). Destroying the key makes it unreadable. */
export const encryptedTextSchema = z.string().brand<'EncryptedText'>()
export type EncryptedText = z.infer<typeof encryptedTextSchema>

/**
 * 'superseded': the oldest session ended because the user logged in on too many devices. 'signed-out': the user ended it from another
 * session, or an admin ended all. 'idle': it was not used for too long.
 */
export const sessionEndReasons = [
  'logged-out',
  'signed-out',
  'idle',
  'password-changed',
  'password-reset',
  'role-changed',
  'deactivated',
  'email-reclaimed',
  'erased',
  'superseded',
] as const
export type SessionEndReason = (typeof sessionEndReasons)[number]

/** A new password or role, a deactivation, or an admin ends all earlier sessions except the one that requested the change. */
export const endedSessionsSchema = z.object({
  reason: z.enum([
    'password-changed',
    'password-reset',
    'role-changed',
    'deactivated',
    'email-reclaimed',
    'signed-out',
  ]),
  except: sessionIdSchema.optional(),
})
export type EndedSessions = z.infer<typeof endedSessionsSchema>

/** Who turned two-step verification off. */
const secondFactorRemovers = ['owner', 'admin', 'operator'] as const
export type SecondFactorRemover = (typeof secondFactorRemovers)[number]

/** What an account ceases to be an active admin by. */
const adminRemovalSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('role'), role: roleSchema.exclude(['admin']) }),
  /** `reason` is encrypted with the key of the user. */
  z.object({ kind: z.literal('deactivated'), reason: encryptedTextSchema }),
  z.object({ kind: z.literal('erased') }),
])

export const adminRemovedSchema = z.object({
  removalId: z.uuid(),
  userId: userIdSchema,
  /** The admin who decided it. */
  by: userIdSchema,
  change: adminRemovalSchema,
})
export type AdminRemoved = z.infer<typeof adminRemovedSchema>

const ofApiKey = { keyId: apiKeyIdSchema, userId: userIdSchema }

export const apiKeyCreatedSchema = z.object({
  ...ofApiKey,
  /** Encrypted with the key of the user. */
  label: encryptedTextSchema,
  rights: z.array(z.enum(apiKeyRights)),
  /** SHA-256 of the secret, in hexadecimal. */
  keyHash: z.string(),
})

/** 'revoked': by its admin. Otherwise with what the account ceased to be an active admin by. */
export const apiKeyRevokedSchema = z.object({
  ...ofApiKey,
  reason: z.enum(['revoked', 'role-changed', 'deactivated', 'email-reclaimed', 'erased']),
})

/** The first call of a day with the key. `day` is in UTC. */
export const apiKeyUsedSchema = z.object({ ...ofApiKey, day: z.iso.date() })

/**
 * Integration events of the auth context. Personal data and credentials are encrypted. `emailIndex` is a keyed hash
 * of the e-mail address, for lookups. The message key is the bucket of the user id. Registrations,
 * LoginGranted and LoginRevoked use the bucket of `emailIndex`. Invitations share one key.
 */
export const authEventSchema = z.discriminatedUnion('type', [
  /** `userId`: of the account that it leads to. `profile` as in UserRegistered. */
  z.object({
    type: z.literal('InvitationSent'),
    data: z.object({
      userId: userIdSchema,
      role: roleSchema.exclude(['student']),
      emailIndex: z.string(),
      profile: encryptedTextSchema,
      invitedBy: userIdSchema.optional(),
      expiresAt: z.iso.datetime(),
    }),
  }),
  z.object({
    type: z.literal('InvitationResent'),
    data: z.object({ userId: userIdSchema, expiresAt: z.iso.datetime() }),
  }),
  z.object({ type: z.literal('InvitationWithdrawn'), data: z.object({ userId: userIdSchema }) }),
  /** RegistrationCompleted of the same user follows, unless the address got another account meanwhile. */
  z.object({
    type: z.literal('InvitationAccepted'),
    data: z.object({ userId: userIdSchema, emailIndex: z.string() }),
  }),
  /** It ended without an account: it had expired long ago, or the address got another account. */
  z.object({ type: z.literal('InvitationLapsed'), data: z.object({ userId: userIdSchema }) }),
  /** Begun, or begun again with other details. */
  z.object({
    type: z.literal('RegistrationInitiated'),
    data: z.object({ emailIndex: z.string(), userId: userIdSchema }),
  }),
  /** It was not completed in time. The key of its data is destroyed, and no account will have this id. */
  z.object({
    type: z.literal('RegistrationExpired'),
    data: z.object({ emailIndex: z.string(), userId: userIdSchema }),
  }),
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
      /** False if the registration was confirmed only by the code sent to the mobile number. */
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
  /** All earlier sessions end. LoginGranted with the same role follows. */
  z.object({ type: z.literal('UserRoleChanged'), data: z.object({ userId: userIdSchema, role: roleSchema }) }),
  /** The user can no longer log in nor get notifications, and all earlier sessions end. */
  z.object({
    type: z.literal('UserDeactivated'),
    /** `reason` is encrypted with the key of the user. Messages of older releases lack it. */
    data: z.object({ userId: userIdSchema, reason: encryptedTextSchema.optional() }),
  }),
  z.object({ type: z.literal('UserReactivated'), data: z.object({ userId: userIdSchema }) }),
  /** An admin signed the user out: all earlier sessions end. */
  z.object({ type: z.literal('UserSessionsEnded'), data: z.object({ userId: userIdSchema }) }),
  /** The change of this account follows; the auth reactor makes it if the request could not. */
  z.object({ type: z.literal('AdminRemoved'), data: adminRemovedSchema }),
  /** The user has proved that they can read mail sent to their address. */
  z.object({ type: z.literal('EmailProved'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  /** The owner of the address reclaimed it. The user can no longer log in, and all earlier sessions end. */
  z.object({ type: z.literal('UserEmailReleased'), data: z.object({ userId: userIdSchema }) }),
  z.object({ type: z.literal('UserErased'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  /** This e-mail address and password now log in as this user. Replaces the previous grant. */
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
    data: z.object({
      sessionId: sessionIdSchema,
      userId: userIdSchema,
      expiresAt: z.iso.datetime(),
      /** Browser and system, from a fixed list of names. Absent in events of earlier releases. */
      deviceName: z.string().optional(),
      /** Not the user's first login, and with a device that the account had not logged in with. */
      isNewDevice: z.literal(true).optional(),
    }),
  }),
  /** Somebody uses the session. Recorded at most every two hours, more often if the idle time-out is short. */
  z.object({
    type: z.literal('SessionUsed'),
    data: z.object({ sessionId: sessionIdSchema, userId: userIdSchema, usedAt: z.iso.datetime() }),
  }),
  z.object({
    type: z.literal('SessionEnded'),
    data: z.object({
      sessionId: sessionIdSchema,
      userId: userIdSchema,
      /** When its token would have expired anyway. The denylist can drop the session after that. */
      expiresAt: z.iso.datetime().optional(),
      reason: z.enum(sessionEndReasons),
    }),
  }),
  /** The only authenticator app from now on. */
  z.object({ type: z.literal('TotpEnrolled'), data: z.object({ userId: userIdSchema }) }),
  /** `deviceName` as in SessionStarted: where it was added. */
  z.object({ type: z.literal('PasskeyAdded'), data: z.object({ userId: userIdSchema, deviceName: z.string() }) }),
  /** Other second factors are left. */
  z.object({ type: z.literal('PasskeyRemoved'), data: z.object({ userId: userIdSchema }) }),
  /** The earlier codes no longer work. */
  z.object({ type: z.literal('RecoveryCodesIssued'), data: z.object({ userId: userIdSchema }) }),
  /** Two-step verification is off. */
  z.object({
    type: z.literal('SecondFactorRemoved'),
    data: z.object({ userId: userIdSchema, by: z.enum(secondFactorRemovers) }),
  }),
  /** The admin's key can be used. It ends with ApiKeyRevoked, or with what removes the admin. */
  z.object({ type: z.literal('ApiKeyCreated'), data: apiKeyCreatedSchema }),
  z.object({ type: z.literal('ApiKeyRevoked'), data: apiKeyRevokedSchema }),
  z.object({ type: z.literal('ApiKeyUsed'), data: apiKeyUsedSchema }),
])
export type AuthEvent = z.infer<typeof authEventSchema>
