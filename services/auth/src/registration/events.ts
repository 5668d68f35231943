import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { roleSchema } from '@portal/contracts/auth/user'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { z } from 'zod'

/** Where a one-time code goes. */
export const channels = ['email', 'mobile'] as const
export type Channel = (typeof channels)[number]

/** One value per channel that takes part. */
export type PerChannel<T> = { readonly [C in Channel]?: T | undefined }

export const channelsOf = (values: PerChannel<unknown>): readonly Channel[] =>
  channels.filter((channel) => values[channel] !== undefined)

/**
 * What is kept of a registration. The address and the number are there as keyed hashes only; profile and credential are
 * sealed with the key of the user-to-be.
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
  /** Keyed hash of the secret of the browser that began it, of which a call that carries one must carry the same. */
  browserHash: z.string().optional(),
})
export type RegistrationDetails = z.infer<typeof registrationDetailsSchema>

/** Who asked for codes, or entered them: the browser that began the registration, or a caller that sent no cookie. */
export const requesterKinds = ['browser', 'anyone'] as const
export type RequesterKind = (typeof requesterKinds)[number]

/**
 * Which of an address's pending registrations an event is about. Events from before there could be several name none, and are about the
 * newest, for both audiences.
 */
const pendingRef = { userId: userIdSchema.optional(), by: z.enum(requesterKinds).optional() }

const issueSchema = z.object({
  ...pendingRef,
  /** Tells one issue from another. */
  issueId: z.string(),
  /** Keyed hashes of the codes. */
  codes: z.object({ email: z.string().optional(), mobile: z.string().optional() }),
  /** 'first' is what a registration starts with; every other is a 'resend'. */
  kind: z.enum(['first', 'resend']),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})

export const registrationEventSchema = z.discriminatedUnion('type', [
  /** Replaces the details of what the same browser began and did not complete. */
  z.object({ type: z.literal('RegistrationInitiated'), data: registrationDetailsSchema }),
  z.object({ type: z.literal('CodesIssued'), data: issueSchema }),
  /** A code of this issue could not be handed over for sending, so that issue does not count for the limits on resending. */
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
      /** The channels whose codes were entered. Absent where it was not recorded or no code was needed: counts as proved. */
      proved: z.array(z.enum(channels)).optional(),
    }),
  }),
  /** The account's address is its user's: they used a link that was mailed to it. */
  z.object({ type: z.literal('EmailProved'), data: z.object({ userId: userIdSchema, emailIndex: z.string() }) }),
  /** The user was erased, or the owner of the address took it back: it is free again. */
  z.object({ type: z.literal('EmailReleased'), data: z.object({ userId: userIdSchema }) }),
])
export type RegistrationEvent = z.infer<typeof registrationEventSchema>
