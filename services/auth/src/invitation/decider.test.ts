import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { describe, test } from 'vitest'
import { type InvitationCommand, invitationDecider, type InvitedPerson } from './decider.ts'
import type { InvitationEvent } from './events.ts'

const id = (n: number) => userIdSchema.parse(`01980000-0000-7000-8000-00000000000${n}`)
const at = (hours: number) => new Date(Date.parse('2026-03-02T09:00:00.000Z') + hours * 3_600_000)
const day = 24

const person = (n = 1): InvitedPerson => ({
  userId: id(n),
  role: 'faculty',
  emailIndex: 'index',
  profile: encryptedTextSchema.parse(`profile ${n}`),
})
const credential = encryptedTextSchema.parse('credential')

const sent = (tokenHash: string, hours = 0, n = 1): InvitationEvent => ({
  type: 'InvitationSent',
  data: { ...person(n), tokenHash, expiresAt: at(hours + 72).toISOString() },
})
const resent = (tokenHash: string, hours: number): InvitationEvent => ({
  type: 'InvitationResent',
  data: { userId: id(1), tokenHash, expiresAt: at(hours + 72).toISOString() },
})
const withdrawn: InvitationEvent = { type: 'InvitationWithdrawn', data: { userId: id(1) } }
const accepted: InvitationEvent = {
  type: 'InvitationAccepted',
  data: { userId: id(1), emailIndex: 'index', credential },
}
const lapsed = (reason: 'expired' | 'address-taken'): InvitationEvent => ({
  type: 'InvitationLapsed',
  data: { userId: id(1), reason },
})

const invite = (tokenHash: string, hours = 0, n = 1): InvitationCommand => ({
  type: 'Invite',
  person: person(n),
  tokenHash,
  now: at(hours),
})
const resend = (tokenHash: string, hours: number, n = 1): InvitationCommand => ({
  type: 'ResendInvitation',
  userId: id(n),
  tokenHash,
  now: at(hours),
})
const withdraw = (n = 1): InvitationCommand => ({ type: 'WithdrawInvitation', userId: id(n) })
const accept = (tokenHash: string, hours = 1): InvitationCommand => ({
  type: 'AcceptInvitation',
  tokenHash,
  credential,
  now: at(hours),
})
const lapse = (reason: 'expired' | 'address-taken', hours: number, n = 1): InvitationCommand => ({
  type: 'LapseInvitation',
  userId: id(n),
  reason,
  now: at(hours),
})

const { given } = specification(invitationDecider)

describe('inviting', () => {
  test('records an invitation that is valid for 72 hours', () => {
    given([])
      .when(invite('first'))
      .then([sent('first')])
  })
  test('is refused for an address with a valid invitation, and replaces an expired one', () => {
    given([sent('first')])
      .when(invite('second', 71, 2))
      .thenRejected('already-invited')
    given([sent('first')])
      .when(invite('second', 72, 2))
      .then([lapsed('expired'), sent('second', 72, 2)])
  })
  test.each([withdrawn, accepted, lapsed('expired'), lapsed('address-taken')])('is possible after $type', (end) => {
    given([sent('first'), end])
      .when(invite('second', 1, 2))
      .then([sent('second', 1, 2)])
  })
})

describe('resending', () => {
  test('records a new link, also after the former one expired', () => {
    for (const hours of [1, 72, 10 * day])
      given([sent('first')])
        .when(resend('second', hours))
        .then([resent('second', hours)])
  })
  test('needs this open invitation', () => {
    given([]).when(resend('second', 1)).thenRejected('not-open')
    given([sent('first')])
      .when(resend('second', 1, 2))
      .thenRejected('not-open')
    for (const end of [withdrawn, accepted, lapsed('expired')])
      given([sent('first'), end])
        .when(resend('second', 1))
        .thenRejected('not-open')
  })
})

describe('withdrawing', () => {
  test('ends this open invitation', () => {
    given([sent('first')])
      .when(withdraw())
      .then([withdrawn])
    given([sent('first')])
      .when(withdraw(2))
      .thenRejected('not-open')
    for (const end of [withdrawn, accepted])
      given([sent('first'), end])
        .when(withdraw())
        .thenRejected('not-open')
  })
})

describe('accepting', () => {
  test('is possible once, with the link, for 72 hours', () => {
    given([sent('first')])
      .when(accept('first', 71))
      .then([accepted])
    given([sent('first')])
      .when(accept('first', 72))
      .thenRejected('link-not-valid')
    given([sent('first')])
      .when(accept('other'))
      .thenRejected('link-not-valid')
    given([]).when(accept('first')).thenRejected('link-not-valid')
    for (const end of [withdrawn, accepted, lapsed('expired')])
      given([sent('first'), end])
        .when(accept('first'))
        .thenRejected('link-not-valid')
  })
  test('takes the newest link only', () => {
    const events = [sent('first'), resent('second', 71)]
    given(events).when(accept('first', 72)).thenRejected('link-not-valid')
    given(events).when(accept('second', 142)).then([accepted])
  })
  test('says that the address has an account meanwhile', () => {
    for (const before of [[sent('first')], [sent('first'), accepted]]) {
      const events = [...before, lapsed('address-taken')]
      given(events).when(accept('first')).thenRejected('address-taken')
      given(events).when(accept('other')).thenRejected('link-not-valid')
    }
  })
})

describe('lapsing', () => {
  test('happens two weeks after the expiry', () => {
    const ends = 72 + 14 * day
    given([sent('first')])
      .when(lapse('expired', ends - 1))
      .thenNothing()
    given([sent('first')])
      .when(lapse('expired', ends))
      .then([lapsed('expired')])
    given([sent('first'), resent('second', 1)])
      .when(lapse('expired', ends))
      .thenNothing()
  })
  test('happens at once when the address has another account', () => {
    for (const events of [[sent('first')], [sent('first'), accepted]])
      given(events)
        .when(lapse('address-taken', 1))
        .then([lapsed('address-taken')])
  })
  test('changes nothing for another invitation, or one that has ended', () => {
    given([sent('first')])
      .when(lapse('address-taken', 1, 2))
      .thenNothing()
    for (const events of [[], [sent('first'), withdrawn]]) given(events).when(lapse('address-taken', 1)).thenNothing()
    given([sent('first'), accepted])
      .when(lapse('expired', 1_000))
      .thenNothing()
  })
})
