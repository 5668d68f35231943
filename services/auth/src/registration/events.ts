import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema } from '@portal/contracts/auth/user'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** How a one-time code is sent. */
export const channels = ['email', 'mobile'] as const
export type Channel = (typeof channels)[number]

/** One value per participating channel. */
export type PerChannel<T> = { readonly [C in Channel]?: T | undefined }

export const channelsOf = (values: PerChannel<unknown>): readonly Channel[] =>
  channels.filter((channel) => values[channel] !== undefined)

/**
 * The recorded details of a registration. The address and the number are keyed hashes. Profile and credential are
 * encrypted with the key of the future user.
 */
export const registrationDetailsSchema = z.object({
  userId: userIdSchema,
  role: roleSchema,
  emailIndex: z.string(),
  mobileIndex: z.string(),
  /** JSON of a Profile (user/profile.ts). */
  profile: encryptedTextSchema,
  /** argon2id hash. */
  credential: encryptedTextSchema,
  /** Keyed hash of the secret of the browser that began it. A caller with a secret must have the same one. */
  browserHash: z.string().optional(),
})
export type RegistrationDetails = z.infer<typeof registrationDetailsSchema>

/** Who requested or entered codes: the browser that began the registration, or a caller without a cookie. */
export const requesterKinds = ['browser', 'anyone'] as const
export type RequesterKind = (typeof requesterKinds)[number]

/**
 * The pending registration of the address that an event concerns. Older events name none: they concern the newest one,
 * and both kinds of requester.
 */
const pendingRef = { userId: userIdSchema.optional(), by: z.enum(requesterKinds).optional() }

const issueSchema = z.object({
  ...pendingRef,
  issueId: z.string(),
  /** Keyed hashes of the codes. */
  codes: z.object({ email: z.string().optional(), mobile: z.string().optional() }),
  /** 'first' for the codes that start a registration, 'resend' for all later ones. */
  kind: z.enum(['first', 'resend']),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

export const registrationEventSchema = z.discriminatedUnion('type', [
  /** Replaces the details of a pending registration of the same browser. */
  z.object({ type: z.literal('RegistrationInitiated'), data: registrationDetailsSchema }),
  z.object({ type: z.literal('CodesIssued'), data: issueSchema }),
  /** A code of this issue could not be sent, so the issue does not count for the resend limits. */
  z.object({ type: z.literal('CodesNotSent'), data: z.object({ issueId: z.string() }) }),
  z.object({
    type: z.literal('WrongCodesEntered'),
    data: z.object({ ...pendingRef, channels: z.array(z.enum(channels)) }),
  }),
  z.object({
    type: z.literal('RegistrationCompleted'),
    data: z.object({
      userId: userIdSchema,
      emailIndex: z.string(),
      /**
       * The channels whose codes were entered. Absent in older events and where no code was needed: the address counts
       * as proved.
       */
      proved: z.array(z.enum(channels)).optional(),
    }),
  }),
  /** The user proved the address: they used a link that was mailed to it. */
  z.object({ type: z.literal('EmailProved'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  /** Nobody completed it in time. Its personal data is erased. */
  z.object({
    type: z.literal('RegistrationExpired'),
    data: z.object({ userId: userIdSchema, emailIndex: z.string() }),
  }),
  /** The address is free again: the user was erased, or the owner took the address back. */
  z.object({ type: z.literal('EmailReleased'), data: z.object({ userId: userIdSchema }) }),
])
export type RegistrationEvent = z.infer<typeof registrationEventSchema>
