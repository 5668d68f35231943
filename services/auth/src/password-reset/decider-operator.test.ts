import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { expect, test } from 'vitest'
import { passwordResetDecider, resetLimits } from './decider.ts'
import type { PasswordResetEvent } from './events.ts'

/** Links that the portal's operator hands over. */
const account = {
  userId: userIdSchema.parse('01980000-0000-7000-8000-000000000001'),
  replaces: encryptedTextSchema.parse('credential'),
}
const hourMs = 3_600_000
const start = Date.parse('2026-03-02T09:00:00.000Z')
const at = (hours: number) => new Date(start + hours * hourMs)

const byOperator = (tokenHash: string): PasswordResetEvent => ({
  type: 'PasswordResetRequested',
  data: { tokenHash, expiresAt: at(72).toISOString(), account, isByOperator: true },
})
const byAnybody = (tokenHash: string): PasswordResetEvent => ({
  type: 'PasswordResetRequested',
  data: { tokenHash, expiresAt: at(72).toISOString(), account },
})
const many = (count: number, make: (tokenHash: string) => PasswordResetEvent) =>
  Array.from({ length: count }, (_, n) => make(`token ${n}`))
const use = (tokenHash: string) => ({ type: 'UseResetToken', tokenHash, now: at(1) }) as const
const used = (tokenHash: string): PasswordResetEvent => ({ type: 'ResetTokenUsed', data: { tokenHash } })

const { given } = specification(passwordResetDecider)

test('an operator link is valid for the given time and recorded as such', () => {
  given([])
    .when({
      type: 'RequestPasswordReset',
      tokenHash: 'first',
      account,
      now: at(0),
      byOperator: { validMs: 72 * hourMs },
    })
    .then([byOperator('first')])
})

test('other requests never replace an operator link', () => {
  given([byOperator('first'), ...many(resetLimits.tokensKept + 1, byAnybody)])
    .when(use('first'))
    .then([used('first')])
})

test('an operator link replaces no other request', () => {
  given([byAnybody('first'), ...many(resetLimits.tokensKept + 1, byOperator)])
    .when(use('first'))
    .then([used('first')])
})

test('keeps as many operator links as ordinary ones', () => {
  const links = many(resetLimits.tokensKept + 1, byOperator)
  given(links).when(use('token 0')).thenRejected('not-valid')
  given(links)
    .when(use('token 1'))
    .then([used('token 1')])
})

test('keeps the recorded stream category', () => expect(passwordResetDecider.category).toBe('reset'))
