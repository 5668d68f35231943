import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { type PasswordResetCommand, passwordResetDecider, resetLimits } from './decider.ts'
import type { PasswordResetEvent } from './events.ts'

const account = {
  userId: userIdSchema.parse('01980000-0000-7000-8000-000000000001'),
  replaces: encryptedTextSchema.parse('credential'),
}
const at = (minutes: number) => new Date(Date.parse('2026-03-02T09:00:00.000Z') + minutes * 60_000)

const requested = (tokenHash: string, minutes = 0): PasswordResetEvent => ({
  type: 'PasswordResetRequested',
  data: { tokenHash, expiresAt: at(minutes + 30).toISOString(), account },
})
const used = (tokenHash: string): PasswordResetEvent => ({ type: 'ResetTokenUsed', data: { tokenHash } })
const use = (tokenHash: string, minutes = 1): PasswordResetCommand => ({
  type: 'UseResetToken',
  tokenHash,
  now: at(minutes),
})

const { given } = specification(passwordResetDecider)

test('a request creates a token that is valid for half an hour', () => {
  given([])
    .when({ type: 'RequestPasswordReset', tokenHash: 'first', account, now: at(0) })
    .then([requested('first')])
})

test('records a request for an unregistered address like any other', () => {
  given([])
    .when({ type: 'RequestPasswordReset', tokenHash: 'first', account: undefined, now: at(0) })
    .then([{ type: 'PasswordResetRequested', data: { tokenHash: 'first', expiresAt: at(30).toISOString() } }])
})

test('the token of an unregistered address sets no password', () => {
  const { type, data } = requested('first')
  if (type !== 'PasswordResetRequested') throw new Error('not a request')
  given([{ type, data: { tokenHash: data.tokenHash, expiresAt: data.expiresAt } }])
    .when(use('first'))
    .thenRejected('not-valid')
})

test('a token is used once', () => {
  given([requested('first')])
    .when(use('first'))
    .then([used('first')])
  given([requested('first'), used('first')])
    .when(use('first'))
    .thenRejected('not-valid')
})

test('older tokens stay valid after a newer request, and the first use invalidates all', () => {
  const all = ['first', 'second', 'third'].map((token, n) => requested(token, n))
  for (const token of ['first', 'second', 'third']) {
    given(all)
      .when(use(token, 3))
      .then([used(token)])
    given([...all, used('second')])
      .when(use(token, 3))
      .thenRejected('not-valid')
  }
})

test('each token expires at its own time', () => {
  const both = [requested('first'), requested('second', 20)]
  given(both).when(use('first', 31)).thenRejected('expired')
  given(both)
    .when(use('second', 31))
    .then([used('second')])
})

test('keeps as many tokens as can be valid at once', () => {
  const many = Array.from({ length: resetLimits.tokensKept + 1 }, (_, n) => requested(`token ${n}`))
  given(many).when(use('token 0')).thenRejected('not-valid')
  given(many)
    .when(use('token 1'))
    .then([used('token 1')])
})

test('a request after a use creates a valid token', () => {
  given([requested('first'), used('first'), requested('second', 5)])
    .when(use('second', 6))
    .then([used('second')])
})

test('a token expires to the second', () => {
  given([requested('first')])
    .when(use('first', 29.99))
    .then([used('first')])
  given([requested('first')])
    .when(use('first', 30))
    .thenRejected('expired')
})

test('an unknown token is not valid', () => {
  for (const tokenHash of ['', 'other', 'first ', 'firs']) {
    given([requested('first')])
      .when(use(tokenHash))
      .thenRejected('not-valid')
    given([]).when(use(tokenHash)).thenRejected('not-valid')
  }
})

describe('links of the operator', () => {
  const expiresAt = at(72 * 60).toISOString()
  const byOperator = (tokenHash: string): PasswordResetEvent => ({
    type: 'PasswordResetRequested',
    data: { tokenHash, expiresAt, account, isByOperator: true },
  })
  const byAnybody = (tokenHash: string): PasswordResetEvent => ({
    type: 'PasswordResetRequested',
    data: { tokenHash, expiresAt, account },
  })
  const many = (count: number, make: (tokenHash: string) => PasswordResetEvent) =>
    Array.from({ length: count }, (_, n) => make(`token ${n}`))

  test('an operator link is valid for the given time and recorded as such', () => {
    given([])
      .when({
        type: 'RequestPasswordReset',
        tokenHash: 'first',
        account,
        now: at(0),
        byOperator: { validMs: 72 * 3_600_000 },
      })
      .then([byOperator('first')])
  })

  test('other requests never replace an operator link', () => {
    given([byOperator('first'), ...many(resetLimits.tokensKept + 1, byAnybody)])
      .when(use('first', 60))
      .then([used('first')])
  })

  test('an operator link replaces no other request', () => {
    given([byAnybody('first'), ...many(resetLimits.tokensKept + 1, byOperator)])
      .when(use('first', 60))
      .then([used('first')])
  })

  test('are kept as many as ordinary ones', () => {
    const links = many(resetLimits.tokensKept + 1, byOperator)
    given(links).when(use('token 0', 60)).thenRejected('not-valid')
    given(links)
      .when(use('token 1', 60))
      .then([used('token 1')])
  })
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => passwordResetDecider.parse({ type: 'PasswordForgotten', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => passwordResetDecider.parse({ type: 'ResetTokenUsed', data: {} })).toThrow(ZodError)
})

test('keeps the recorded stream category', () => expect(passwordResetDecider.category).toBe('reset'))
