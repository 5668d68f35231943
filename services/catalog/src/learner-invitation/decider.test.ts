import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { learnerLimits } from '@portal/contracts/catalog/learners'
import { learnerInvitationIdSchema } from '@portal/contracts/shared/ids'
import { callerId, otherLearnerId } from '@portal/catalog/testing/harness'
import { programIdOf } from '@portal/catalog/testing/programs'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, expect, it } from 'vitest'
import { hasExpired, learnerInvitationDecider, openInvitationsOf } from './decider.ts'
import type { LearnerInvitationEvent } from './events.ts'

const { given } = specification(learnerInvitationDecider)
const dayMs = 24 * 3_600_000
const now = new Date('2026-11-20T10:00:00.000Z')
const after = (days: number) => new Date(now.getTime() + days * dayMs)
const idOf = (n: number) => learnerInvitationIdSchema.parse(`01980000-0000-8000-8000-${String(n).padStart(12, '0')}`)
const emailIndex = 'index'
const address = encryptedTextSchema.parse('cipher')
const ref = (n = 1, program = 1) => ({ invitationId: idOf(n), programId: programIdOf(program), emailIndex })
const details = (n = 1, program = 1) => ({ ...ref(n, program), programName: `Minor ${program}`, address })

const invite = (n = 1, program = 1, at = now) =>
  ({ type: 'InviteLearner', ...details(n, program), invitedBy: callerId, now: at }) as const
const invited = (n = 1, program = 1, at = now): LearnerInvitationEvent => ({
  type: 'LearnerInvited',
  data: {
    ...details(n, program),
    invitedBy: callerId,
    invitedAt: at.toISOString(),
    expiresAt: new Date(at.getTime() + learnerLimits.invitationDays * dayMs).toISOString(),
  },
})
const accepted: LearnerInvitationEvent = {
  type: 'LearnerInvitationAccepted',
  data: { ...ref(), userId: otherLearnerId },
}
const withdrawn: LearnerInvitationEvent = { type: 'LearnerInvitationWithdrawn', data: ref() }
const expired = (reason: 'expired' | 'program-removed' | 'erased' = 'expired'): LearnerInvitationEvent => ({
  type: 'LearnerInvitationExpired',
  data: { ...ref(), reason },
})
const accept = (at = now) =>
  ({ type: 'AcceptLearnerInvitation', invitationId: idOf(1), userId: otherLearnerId, now: at }) as const

describe('inviting', () => {
  it('is for thirty days, once per program', () => {
    given([]).when(invite()).then([invited()])
    given([invited()]).when(invite(2)).thenRejected('already-invited')
    given([invited()])
      .when(invite(2, 2))
      .then([invited(2, 2)])
  })

  it('is possible again after the invitation has ended or expired', () => {
    given([invited(), withdrawn])
      .when(invite(2))
      .then([invited(2)])
    given([invited(), accepted])
      .when(invite(2))
      .then([invited(2)])
    given([invited()])
      .when(invite(2, 1, after(30)))
      .then([expired(), invited(2, 1, after(30))])
  })
})

describe('sending again', () => {
  const resend = { type: 'ResendLearnerInvitation', ...details(), programName: 'Renamed', now: after(10) } as const
  const resent: LearnerInvitationEvent = {
    type: 'LearnerInvitationResent',
    data: { ...details(), programName: 'Renamed', expiresAt: after(40).toISOString() },
  }

  it('makes it valid for thirty days again, also if it had expired', () => {
    given([invited()]).when(resend).then([resent])
    given([invited(), resent])
      .when(accept(after(39)))
      .then([accepted])
    given([invited(), resent])
      .when(accept(after(40)))
      .then([expired()])
  })

  it('is not for one that has ended or was replaced', () => {
    given([]).when(resend).thenRejected('not-open')
    given([invited(), withdrawn]).when(resend).thenRejected('not-open')
    given([invited(), withdrawn, invited(2)])
      .when(resend)
      .thenRejected('not-open')
  })
})

describe('the end of an invitation', () => {
  const withdraw = { type: 'WithdrawLearnerInvitation', invitationId: idOf(1) } as const
  const expire = { type: 'ExpireLearnerInvitation', invitationId: idOf(1), reason: 'expired' } as const

  it('is its withdrawal, once', () => {
    given([invited()]).when(withdraw).then([withdrawn])
    given([invited(), withdrawn]).when(withdraw).thenRejected('not-open')
    given([invited(), accepted]).when(withdraw).thenRejected('not-open')
  })

  it('is the account of its address, once, unless it has expired or was withdrawn', () => {
    given([invited()]).when(accept()).then([accepted])
    given([invited(), accepted]).when(accept()).thenNothing()
    given([invited(), withdrawn]).when(accept()).thenNothing()
    given([invited()])
      .when(accept(after(30)))
      .then([expired()])
  })

  it('is its expiry, or whatever else makes it useless', () => {
    given([invited()])
      .when({ ...expire, now: after(29) })
      .thenNothing()
    given([invited()])
      .when({ ...expire, now: after(30) })
      .then([expired()])
    given([invited()])
      .when({ ...expire, reason: 'program-removed' })
      .then([expired('program-removed')])
    given([invited(), withdrawn]).when(expire).thenNothing()
  })
})

it('the streams keep the category that is recorded', () => {
  expect(learnerInvitationDecider.category).toBe('learnerInvitation')
})

it('the state has one invitation per program, and remembers whose account accepted it', () => {
  const fold = (...events: readonly LearnerInvitationEvent[]) =>
    events.reduce(learnerInvitationDecider.evolve, learnerInvitationDecider.initial)
  expect(openInvitationsOf(fold(invited(), invited(2, 2))).map(({ invitationId }) => invitationId)).toEqual([
    idOf(1),
    idOf(2),
  ])
  expect(fold(invited(), accepted).get(programIdOf(1))).toEqual({
    status: 'accepted',
    invitationId: idOf(1),
    programId: programIdOf(1),
    invitedBy: callerId,
    userId: otherLearnerId,
  })
  expect(fold(invited(), expired()).get(programIdOf(1))).toEqual({ status: 'ended', invitationId: idOf(1) })
  expect(fold(withdrawn)).toEqual(new Map())
  expect(hasExpired({ expiresAt: now.toISOString() }, now)).toBe(true)
})
