import { z } from 'zod'
import { userIdSchema } from '../shared/ids.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { email, limits, requiredLine } from '../shared/rules.ts'

/** How admins invite admins and faculty. A module of its own, because the first screen does not need it. */

export const invitationLimits = {
  /** How long a link works. */
  validHours: 72,
  /** How long an expired invitation can be sent again. Then its personal data is destroyed. */
  keptDaysAfterExpiry: 14,
  /** Open ones of all admins, with the expired ones. */
  open: 500,
} as const

export const invitedRoles = ['admin', 'faculty'] as const
export const invitedRoleSchema = z.enum(invitedRoles, 'Please choose the role admin or faculty')
export type InvitedRole = z.infer<typeof invitedRoleSchema>

export const hasAccount = routeError('conflict', 'An account with this email already exists.')
export const alreadyInvited = routeError(
  'conflict',
  'This address is already invited. You can send the invitation again.',
)
export const invitationNotFound = routeError('not-found', 'This invitation is no longer open.')
export const tooManyOpenInvitations = routeError(
  'conflict',
  `There can be at most ${invitationLimits.open} open invitations. Please withdraw one first.`,
)
export const noAdminInvitationLeft = routeError(
  'conflict',
  `There can be at most ${limits.admins} admins, invited ones included.`,
)
export const invitationNotSent = routeError(
  'unavailable',
  'The invitation cannot be sent right now. Please try again in a moment.',
)
export const tooManyInvitations = (wait: string) =>
  routeError('too-many-requests', `Too many invitations. Please try again in ${wait}.`)

/** An open invitation. */
export const invitationSchema = z.object({
  /** The account that it leads to will have the same id. */
  _id: userIdSchema,
  fullName: z.string(),
  personalEmail: z.string(),
  role: invitedRoleSchema,
  /** 'expired': the link no longer works, but the invitation can be sent again. */
  state: z.enum(['pending', 'expired']),
  /** Name of the admin; empty if that account was deleted. */
  invitedBy: z.string(),
  /** The last time. */
  sentAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
})
export type Invitation = z.infer<typeof invitationSchema>

/** `link` for the admin to hand over, only from a portal without a mail server. It is shown this once. */
const sentInvitationSchema = invitationSchema.extend({ link: z.string().optional() })
export type SentInvitation = z.infer<typeof sentInvitationSchema>

const sentResponse = doneSchema.extend({ data: sentInvitationSchema })
const idParams = z.object({ id: userIdSchema })

export const invite = defineRoute({
  method: 'POST',
  path: '/admin/invitations',
  access: 'admin',
  summary: 'Invite an admin or a member of the faculty by e-mail. At most 20 times an hour',
  body: z.object({
    fullName: requiredLine('Name', limits.nameChars),
    personalEmail: email,
    role: invitedRoleSchema,
  }),
  response: sentResponse,
  errors: [
    hasAccount,
    alreadyInvited,
    tooManyOpenInvitations,
    noAdminInvitationLeft,
    tooManyInvitations('15 minutes'),
    invitationNotSent,
  ],
})

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/admin/invitations',
  access: 'admin',
  summary: 'The open invitations, the newest first. Expired ones stay for 14 days',
  response: z.object({ success: z.literal(true), invitations: z.array(invitationSchema) }),
})

export const resendInvitation = defineRoute({
  method: 'POST',
  path: '/admin/invitations/:id/resend',
  access: 'admin',
  summary: 'Send an invitation again, with a new link. The former one stops working. Counts as an invitation',
  params: idParams,
  response: sentResponse,
  errors: [invitationNotFound, hasAccount, tooManyInvitations('15 minutes'), invitationNotSent],
})

export const withdrawInvitation = defineRoute({
  method: 'DELETE',
  path: '/admin/invitations/:id',
  access: 'admin',
  summary: 'Withdraw an invitation. Its link stops working, and its personal data is destroyed',
  params: idParams,
  response: doneSchema,
  errors: [invitationNotFound],
})
