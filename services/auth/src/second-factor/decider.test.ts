import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { expect, test } from 'vitest'
import { offerValidMs, secondFactorDecider } from './decider.ts'
import type { SecondFactorEvent } from './events.ts'

const { given } = specification(secondFactorDecider)
const userId = userIdSchema.parse('0199a7c0-0000-7000-8000-000000000001')
const [first, second] = ['first', 'second'].map((text) => encryptedTextSchema.parse(text)) as [never, never]
const now = new Date('2026-03-02T09:00:00.000Z')
const expiresAt = new Date(now.getTime() + offerValidMs).toISOString()
const codeHashes = ['hash-a', 'hash-b']

const offered = (secret: typeof first): SecondFactorEvent => ({
  type: 'TotpOffered',
  data: { userId, secret, expiresAt },
})
const enrolled = (secret: typeof first, step = 100): SecondFactorEvent[] => [
  { type: 'TotpEnrolled', data: { userId, secret, step } },
  { type: 'RecoveryCodesIssued', data: { userId, codeHashes } },
]
const used = (step: number): SecondFactorEvent => ({ type: 'TotpCodeUsed', data: { userId, step } })
const removed = (by: string): SecondFactorEvent => ({ type: 'SecondFactorRemoved', data: { userId, by } })
const enroll = (secret: typeof first, isFirst = false, at = now) =>
  ({ type: 'EnrollTotp', userId, secret, step: 100, codeHashes, isFirst, now: at }) as const
const useTotp = (step: number, secret = first) => ({ type: 'UseTotpCode', userId, secret, step }) as const
const useRecovery = (codeHash: string) => ({ type: 'UseRecoveryCode', userId, codeHash }) as const

test('the latest offered secret can be confirmed once, until its offer expires', () => {
  given([])
    .when({ type: 'OfferTotp', userId, secret: first, isFirst: false, now })
    .then([offered(first)])
  given([offered(first)])
    .when(enroll(first))
    .then(enrolled(first))
  given([offered(first), offered(second)])
    .when(enroll(first))
    .thenRejected('no-offer')
  given([offered(first), ...enrolled(first)])
    .when(enroll(first))
    .thenRejected('no-offer')
  given([offered(first)])
    .when(enroll(first, false, new Date(expiresAt)))
    .thenRejected('no-offer')
  given([]).when(enroll(first)).thenRejected('no-offer')
})

test('a secret replaces another one, but not for a caller who knows no more than the password', () => {
  const on = [offered(first), ...enrolled(first)]
  given([...on, offered(second)])
    .when(enroll(second))
    .then(enrolled(second))
  given([...on, offered(second)])
    .when(enroll(second, true))
    .thenRejected('already-on')
  given(on).when({ type: 'OfferTotp', userId, secret: second, isFirst: true, now }).thenRejected('already-on')
  given([...on, offered(second), ...enrolled(second)])
    .when(useTotp(101))
    .thenRejected('wrong-code')
})

test('a code works once, whichever order the codes come in, and that which confirmed the secret not again', () => {
  const on = enrolled(first)
  given(on)
    .when(useTotp(101))
    .then([used(101)])
  given([...on, used(101)])
    .when(useTotp(101))
    .thenRejected('used-code')
  given([...on, used(101)])
    .when(useTotp(100))
    .thenRejected('used-code')
  // The clock was ahead and has been set back.
  given([...on, used(900)])
    .when(useTotp(101))
    .then([used(101)])
  given([]).when(useTotp(101)).thenRejected('wrong-code')
})

test('remembers a bounded number of used codes', () => {
  const steps = Array.from({ length: 40 }, (_, n) => used(101 + n))
  const state = [...enrolled(first), ...steps].reduce(secondFactorDecider.evolve, secondFactorDecider.initial)
  expect(state.totp?.usedSteps).toHaveLength(10)
})

test('a recovery code works once, and new codes replace all earlier ones', () => {
  const on = enrolled(first)
  const codeUsed: SecondFactorEvent = { type: 'RecoveryCodeUsed', data: { userId, codeHash: 'hash-a' } }
  const issued: SecondFactorEvent = { type: 'RecoveryCodesIssued', data: { userId, codeHashes: ['hash-c'] } }
  given(on).when(useRecovery('hash-a')).then([codeUsed])
  given([...on, codeUsed])
    .when(useRecovery('hash-a'))
    .thenRejected('wrong-code')
  given(on)
    .when({ type: 'IssueRecoveryCodes', userId, codeHashes: ['hash-c'] })
    .then([issued])
  given([...on, issued])
    .when(useRecovery('hash-b'))
    .thenRejected('wrong-code')
  given([]).when({ type: 'IssueRecoveryCodes', userId, codeHashes }).thenRejected('off')
})

test('after its removal nothing works any more, neither codes nor an offered secret', () => {
  const remove = { type: 'RemoveSecondFactor', userId, by: 'operator' } as const
  given(enrolled(first))
    .when(remove)
    .then([removed('operator')])
  given([offered(first)])
    .when(remove)
    .then([removed('operator')])
  given([]).when(remove).then([])
  given([...enrolled(first), removed('operator')])
    .when(useTotp(101))
    .thenRejected('wrong-code')
  given([...enrolled(first), removed('operator')])
    .when(useRecovery('hash-a'))
    .thenRejected('wrong-code')
  given([offered(first), removed('operator')])
    .when(enroll(first))
    .thenRejected('no-offer')
})
