import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { maxPasskeys } from '@portal/contracts/auth/passkeys'
import { passkeyIdSchema, userIdSchema } from '@portal/contracts/shared/ids'
import { specification } from '@portal/platform/testing/decider/specification'
import { expect, test } from 'vitest'
import { offerValidMs, secondFactorDecider } from './decider.ts'
import type { SecondFactorEvent } from './events.ts'
import { passkeysOf, totpOf } from './factors.ts'

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
  expect(totpOf(state)?.usedSteps).toHaveLength(10)
})

test('a recovery code works once, and new codes replace all earlier ones', () => {
  const on = enrolled(first)
  const codeUsed: SecondFactorEvent = { type: 'RecoveryCodeUsed', data: { userId, codeHash: 'hash-a' } }
  const issued: SecondFactorEvent = {
    type: 'RecoveryCodesIssued',
    data: { userId, codeHashes: ['hash-c'], areRenewed: true },
  }
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
    .then([{ type: 'SecondFactorRemoved', data: { userId, by: 'operator', wasOff: true } }])
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

const passkeyId = (number: number) => passkeyIdSchema.parse(`0199a7c0-0000-7000-8000-0000000001${number}0`)
const passkey = (number: number, counter = 0) => ({
  userId,
  passkeyId: passkeyId(number),
  credentialId: first,
  credentialIndex: `index-${number}`,
  publicKey: second,
  counter,
  transports: [],
  label: 'Chrome on Android',
  addedAt: now.toISOString(),
})
const passkeyAdded = (number: number, counter = 0): SecondFactorEvent => ({
  type: 'PasskeyAdded',
  data: passkey(number, counter),
})
const passkeyUsed = (counter: number, day = '2026-03-02'): SecondFactorEvent => ({
  type: 'PasskeyUsed',
  data: { userId, passkeyId: passkeyId(1), counter, day },
})
const passkeyRemoved = (number: number): SecondFactorEvent => ({
  type: 'PasskeyRemoved',
  data: { userId, passkeyId: passkeyId(number) },
})
const codesIssued: SecondFactorEvent = { type: 'RecoveryCodesIssued', data: { userId, codeHashes } }
const addPasskey = (number: number, isFirst = false) =>
  ({ type: 'AddPasskey', ...passkey(number), codeHashes: ['hash-c'], isFirst }) as const
const usePasskey = (counter: number, day = '2026-03-02') =>
  ({ type: 'UsePasskey', userId, passkeyId: passkeyId(1), counter, day }) as const
const removePasskey = (number: number, isRequired = false) =>
  ({ type: 'RemovePasskey', userId, passkeyId: passkeyId(number), by: userId, isRequired }) as const

test('the first second factor of either kind brings recovery codes, and a second kind leaves them as they are', () => {
  given([])
    .when({ ...addPasskey(1), codeHashes })
    .then([passkeyAdded(1), codesIssued])
  given([passkeyAdded(1), codesIssued])
    .when(addPasskey(2))
    .then([passkeyAdded(2)])
  given(enrolled(first))
    .when(addPasskey(1))
    .then([passkeyAdded(1)])
  given([passkeyAdded(1), codesIssued, offered(first)])
    .when({ ...enroll(first), codeHashes: ['hash-c'] })
    .then([{ type: 'TotpEnrolled', data: { userId, secret: first, step: 100 } }])
  given([passkeyAdded(1), codesIssued])
    .when({ type: 'IssueRecoveryCodes', userId, codeHashes })
    .then([{ type: 'RecoveryCodesIssued', data: { userId, codeHashes, areRenewed: true } }])
})

test('an offer from before the first second factor has no effect after it, because it took no proof of one', () => {
  given([offered(first), passkeyAdded(1), codesIssued])
    .when(enroll(first))
    .thenRejected('no-offer')
  given([passkeyAdded(1), codesIssued, offered(first), passkeyAdded(2)])
    .when(enroll(first))
    .then([{ type: 'TotpEnrolled', data: { userId, secret: first, step: 100 } }])
})

test('a passkey is a second factor, to which a caller who knows no more than the password adds none', () => {
  const on = [passkeyAdded(1), codesIssued]
  given(on).when({ type: 'OfferTotp', userId, secret: first, isFirst: true, now }).thenRejected('already-on')
  given([...on, offered(first)])
    .when(enroll(first, true))
    .thenRejected('already-on')
  given(on).when(addPasskey(2, true)).thenRejected('already-on')
  given(enrolled(first)).when(addPasskey(1, true)).thenRejected('already-on')
  given([])
    .when({ ...addPasskey(1, true), codeHashes })
    .then([passkeyAdded(1), codesIssued])
})

test('a passkey is added once, and at most five', () => {
  const all = Array.from({ length: maxPasskeys }, (_, n) => passkeyAdded(n + 1))
  given(all.slice(1))
    .when(addPasskey(1))
    .then([passkeyAdded(1)])
  given(all).when(addPasskey(6)).thenRejected('too-many-passkeys')
  given(all).when(addPasskey(1)).thenRejected('passkey-exists')
  given([...all, passkeyRemoved(2)])
    .when(addPasskey(6))
    .then([passkeyAdded(6)])
})

test('the use of a passkey without a counter is recorded once a day, and of one with a counter each time', () => {
  given([passkeyAdded(1)])
    .when(usePasskey(0))
    .then([passkeyUsed(0)])
  given([passkeyAdded(1), passkeyUsed(0)])
    .when(usePasskey(0))
    .then([])
  given([passkeyAdded(1), passkeyUsed(0)])
    .when(usePasskey(0, '2026-03-03'))
    .then([passkeyUsed(0, '2026-03-03')])
  given([passkeyAdded(1, 4), passkeyUsed(5)])
    .when(usePasskey(6))
    .then([passkeyUsed(6)])
  given([passkeyAdded(2)])
    .when(usePasskey(0))
    .thenRejected('no-such-passkey')
})

test('a counter that does not grow shows a copy of the passkey', () => {
  for (const counter of [0, 4, 5]) {
    given([passkeyAdded(1, 4), passkeyUsed(5)])
      .when(usePasskey(counter))
      .thenRejected('copied-passkey')
  }
  given([passkeyAdded(1, 1)])
    .when(usePasskey(1))
    .thenRejected('copied-passkey')
  given([passkeyAdded(1)])
    .when(usePasskey(1))
    .then([passkeyUsed(1)])
})

test('the removal of the last second factor turns all of it off, unless the user needs one', () => {
  const off = removed(userId)
  given([passkeyAdded(1), codesIssued])
    .when(removePasskey(1))
    .then([{ type: 'PasskeyRemoved', data: { userId, passkeyId: passkeyId(1), isLast: true } }, off])
  given([passkeyAdded(1), codesIssued])
    .when(removePasskey(1, true))
    .thenRejected('required')
  given([passkeyAdded(1), codesIssued, passkeyAdded(2)])
    .when(removePasskey(1, true))
    .then([passkeyRemoved(1)])
  given([...enrolled(first), passkeyAdded(1)])
    .when(removePasskey(1))
    .then([passkeyRemoved(1)])
  given([passkeyAdded(1)])
    .when(removePasskey(2))
    .thenRejected('no-such-passkey')
  given([passkeyAdded(1), passkeyRemoved(1), off])
    .when(useRecovery('hash-a'))
    .thenRejected('wrong-code')
  given([passkeyAdded(1), passkeyAdded(2), codesIssued])
    .when({ type: 'RemoveSecondFactor', userId, by: 'operator' })
    .then([removed('operator')])
})

test('what passkeys and the app record leaves each other alone', () => {
  const events = [...enrolled(first), passkeyAdded(1), passkeyAdded(2), passkeyUsed(3), passkeyRemoved(2), used(101)]
  const state = events.reduce(secondFactorDecider.evolve, secondFactorDecider.initial)
  expect(totpOf(state)).toEqual({ kind: 'totp', secret: first, usedSteps: [100, 101] })
  const { userId: _owner, ...kept } = passkey(1)
  expect(passkeysOf(state)).toEqual([{ kind: 'passkey', ...kept, counter: 3, lastUsedOn: '2026-03-02' }])
  expect(state.codeHashes).toEqual(codeHashes)
})
