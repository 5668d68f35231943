import { z } from 'zod'
import { learnerInvitationIdSchema } from '../shared/ids.ts'
import { idempotencyHeaders } from '../shared/idempotency.ts'
import { paginationSchema, positiveInteger } from '../shared/page.ts'
import { defineRoute, doneSchema, routeError } from '../shared/route.ts'
import { limits } from '../shared/rules.ts'
import { programNotFound } from './errors.ts'
import { programParams } from './http.ts'
import { learnerLimits } from './learners.ts'

/** People without an account who are enrolled in a program once they register. A module of its own, because only one screen needs it. */

export const invitationsNotOpen = routeError(
  'not-found',
  'This is no longer open: it was withdrawn or has expired, or the person has registered.',
)

export const learnerInvitationSchema = z.object({
  _id: learnerInvitationIdSchema,
  email: z.string(),
  invitedAt: z.iso.datetime(),
  /** Name of the admin; empty if that account was deleted. */
  invitedBy: z.string(),
  expiresAt: z.iso.datetime(),
})
export type LearnerInvitation = z.infer<typeof learnerInvitationSchema>

export const listLearnerInvitations = defineRoute({
  method: 'GET',
  path: '/admin/programs/:id/invitations',
  access: 'admin',
  summary: 'A page of the people who are invited to a program and have not registered, the newest first',
  params: programParams,
  query: z.object({
    page: positiveInteger('page', limits.page, 1),
    limit: positiveInteger('limit', limits.pageSize, 50),
  }),
  response: z.object({
    success: z.literal(true),
    invitations: z.array(learnerInvitationSchema),
    pagination: paginationSchema,
  }),
  errors: [programNotFound],
})

const changeRoute = {
  method: 'POST',
  access: 'admin',
  params: programParams,
  headers: idempotencyHeaders,
  body: z.object({
    invitationIds: z
      .array(learnerInvitationIdSchema)
      .min(1, 'Please choose at least one invitation')
      .max(learnerLimits.marked, `At most ${learnerLimits.marked} invitations can be changed at once`),
  }),
  response: doneSchema.extend({ changed: z.number().int() }),
  errors: [programNotFound, invitationsNotOpen],
} as const

export const resendLearnerInvitations = defineRoute({
  ...changeRoute,
  path: '/admin/programs/:id/invitations/resend',
  summary: `Send invitations again. They are valid for ${learnerLimits.invitationDays} days from now`,
})

export const withdrawLearnerInvitations = defineRoute({
  ...changeRoute,
  path: '/admin/programs/:id/invitations/withdraw',
  summary: 'Withdraw invitations. Their addresses are destroyed',
})
