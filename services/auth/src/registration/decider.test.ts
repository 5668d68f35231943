import { encryptedTextSchema } from '@portal/contracts/auth/events'
import { userIdSchema } from '@portal/contracts/shared/ids'
import { UnknownEventTypeError } from '@portal/platform/decider/stored-event'
import { specification } from '@portal/platform/testing/decider/specification'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ZodError } from 'zod'
import { codeLimits } from './code-limits.ts'
import type { RegistrationCommand } from './commands.ts'
import { pendingOfBrowser, registrationDecider, type RegistrationRejection, type RegistrationState } from './decider.ts'
import {
  type RequesterKind,
  type Channel,
  channels,
  type PerChannel,
  type RegistrationDetails,
  type RegistrationEvent,
  registrationEventSchema,
} from './events.ts'

const userId = userIdSchema.parse('01980000-0000-7000-8000-000000000001')
const otherUserId = userIdSchema.parse('01980000-0000-7000-8000-000000000002')
const startMs = Date.parse('2026-03-02T09:00:00.000Z')
const at = (seconds: number) => new Date(startMs + seconds * 1_000)
const minute = 60

const details: RegistrationDetails = {
  userId,
  role: 'student',
  emailIndex: 'email-index',
  mobileIndex: 'mobile-index',
  profile: encryptedTextSchema.parse('encrypted profile'),
  credential: encryptedTextSchema.parse('encrypted credential'),
}

const initiated: RegistrationEvent = { type: 'RegistrationInitiated', data: details }
const completed: RegistrationEvent = {
  type: 'RegistrationCompleted',
  data: { userId, emailIndex: details.emailIndex },
}
const provedBy = (...proved: Channel[]): RegistrationEvent => ({
  type: 'RegistrationCompleted',
  data: { userId, emailIndex: details.emailIndex, proved },
})
const wrongFrom = (by: RequesterKind, ...wrongChannels: Channel[]): RegistrationEvent => ({
  type: 'WrongCodesEntered',
  data: { userId, by, channels: wrongChannels },
})
/** Entered by a caller without a cookie. */
const wrong = (...wrongChannels: Channel[]): RegistrationEvent => wrongFrom('anyone', ...wrongChannels)
const notSent = (issueId: string): RegistrationEvent => ({ type: 'CodesNotSent', data: { issueId } })

const issued = (
  seconds: number,
  codes: PerChannel<string>,
  kind: 'first' | 'resend' = 'first',
  issueId = `issue at ${seconds}`,
  by: RequesterKind = kind === 'first' ? 'browser' : 'anyone',
  of = userId,
): RegistrationEvent => ({
  type: 'CodesIssued',
  data: {
    userId: of,
    by,
    issueId,
    codes,
    kind,
    issuedAt: at(seconds).toISOString(),
    expiresAt: at(seconds + 10 * minute).toISOString(),
  },
})

const both = { email: 'e1', mobile: 'm1' }
const pending = [initiated, issued(0, both)]

const initiate = (seconds: number, codes: PerChannel<string> = both): RegistrationCommand => ({
  type: 'InitiateRegistration',
  details,
  fresh: { issueId: `issue at ${seconds}`, codes, now: at(seconds) },
})
const resend = (
  seconds: number,
  codes: PerChannel<string>,
  mobileIndex = details.mobileIndex,
): RegistrationCommand => ({
  type: 'ResendCodes',
  mobileIndex,
  fresh: { issueId: `issue at ${seconds}`, codes, now: at(seconds) },
})
const verify = (
  seconds: number,
  entered: PerChannel<string>,
  mobileIndex = details.mobileIndex,
): Extract<RegistrationCommand, { type: 'VerifyCodes' }> => ({
  type: 'VerifyCodes',
  mobileIndex,
  entered,
  now: at(seconds),
})

const { given } = specification(registrationDecider)
const stateAfter = (...events: readonly RegistrationEvent[]): RegistrationState =>
  events.reduce<RegistrationState>(
    (state, event) => registrationDecider.evolve(state, event),
    registrationDecider.initial,
  )

describe('initiating', () => {
  test('records the details and a code for each channel, valid for ten minutes', () => {
    given([])
      .when(initiate(0))
      .then([initiated, issued(0, both)])
  })

  test('is rejected when the address has an account', () => {
    given([...pending, completed])
      .when(initiate(5_000))
      .thenRejected({ reason: 'already-registered' })
  })

  test('is possible again after the account was erased', () => {
    given([...pending, completed, { type: 'EmailReleased', data: { userId } }])
      .when(initiate(10))
      .then([initiated, issued(10, both)])
  })

  const begunBy = (browserHash: string, of: Partial<RegistrationDetails> = {}): RegistrationDetails => ({
    ...details,
    browserHash,
    ...of,
  })
  const initiateAs = (as: RegistrationDetails, seconds: number): RegistrationCommand => ({
    type: 'InitiateRegistration',
    details: as,
    fresh: { issueId: `issue at ${seconds}`, codes: { email: 'e2', mobile: 'm2' }, now: at(seconds) },
  })
  const mine = begunBy('browser-1')
  const begun: RegistrationEvent[] = [{ type: 'RegistrationInitiated', data: mine }, issued(0, both)]

  test('again by the same browser replaces the details and counts as a resend', () => {
    const changed = begunBy('browser-1', { profile: encryptedTextSchema.parse('another name') })
    given(begun)
      .when(initiateAs(changed, 31))
      .then([
        { type: 'RegistrationInitiated', data: changed },
        issued(31, { email: 'e2', mobile: 'm2' }, 'resend', 'issue at 31', 'browser'),
      ])
  })

  test('again within 30 seconds keeps the codes that were sent', () => {
    given(begun)
      .when(initiateAs(mine, 12))
      .then([{ type: 'RegistrationInitiated', data: mine }])
  })

  test('with a corrected number sends a code there at once, and none to the address', () => {
    const corrected = begunBy('browser-1', { mobileIndex: 'other-mobile' })
    const events: RegistrationEvent[] = [
      { type: 'RegistrationInitiated', data: corrected },
      issued(5, { mobile: 'm2' }, 'resend', 'issue at 5', 'browser'),
    ]
    given(begun).when(initiateAs(corrected, 5)).then(events)
    const claim = { mobileIndex: 'other-mobile', browserHash: 'browser-1' }
    for (const entered of [{ email: 'e1' }, { mobile: 'm2' }, { email: 'e1', mobile: 'm2' }]) {
      given([...begun, ...events])
        .when({ type: 'VerifyCodes', ...claim, entered, now: at(60) })
        .then([provedBy(...channels.filter((channel) => channel in entered))])
    }
    given([...begun, ...events])
      .when({ type: 'VerifyCodes', ...claim, entered: { mobile: 'm1' }, now: at(60) })
      .then([wrongFrom('browser', 'mobile')])
  })

  test('allows five corrected numbers an hour', () => {
    const corrections = [1, 2, 3, 4, 5].flatMap((n): RegistrationEvent[] => [
      { type: 'RegistrationInitiated', data: begunBy('browser-1', { mobileIndex: `mobile-${n}` }) },
      issued(n, { mobile: `m${n}` }, 'resend', `issue ${n}`, 'browser'),
    ])
    given([...begun, ...corrections])
      .when(initiateAs(begunBy('browser-1', { mobileIndex: 'mobile-6' }), 10))
      .thenRejected({ reason: 'sent-too-often', retryAfterSeconds: 3_591 })
  })

  test('by another browser keeps the registration of the first', () => {
    const other = begunBy('browser-2', { userId: otherUserId })
    given(begun)
      .when(initiateAs(other, 1))
      .then([
        { type: 'RegistrationInitiated', data: other },
        issued(1, { email: 'e2', mobile: 'm2' }, 'first', 'issue at 1', 'browser', otherUserId),
      ])
  })

  test('is possible for an address that its account has not proved', () => {
    for (const confirmed of [completed, provedBy('email'), provedBy('email', 'mobile')]) {
      given([...pending, confirmed])
        .when(initiate(5_000))
        .thenRejected({ reason: 'already-registered' })
    }
    const other = begunBy('browser-2', { userId: otherUserId })
    const unproved = [...pending, provedBy('mobile')]
    given(unproved)
      .when(initiateAs(other, 5_000))
      .then([
        { type: 'RegistrationInitiated', data: other },
        issued(5_000, { email: 'e2', mobile: 'm2' }, 'first', 'issue at 5000', 'browser', otherUserId),
      ])
    given([...unproved, { type: 'EmailProved', data: { userId, emailIndex: details.emailIndex } }])
      .when(initiate(5_000))
      .thenRejected({ reason: 'already-registered' })
  })
})

describe('taking an address back', () => {
  const owner = { ...details, userId: otherUserId, mobileIndex: 'owners-mobile', browserHash: 'browser-2' }
  const begun: RegistrationEvent[] = [
    ...pending,
    provedBy('mobile'),
    { type: 'RegistrationInitiated', data: owner },
    issued(100, both, 'first', 'issue at 100', 'browser', otherUserId),
  ]
  const verifyAsOwner = (entered: PerChannel<string>): RegistrationCommand => ({
    type: 'VerifyCodes',
    mobileIndex: 'owners-mobile',
    browserHash: 'browser-2',
    entered,
    now: at(120),
  })
  const takenBack = (...proved: Channel[]): RegistrationEvent[] => [
    { type: 'EmailReleased', data: { userId } },
    { type: 'RegistrationCompleted', data: { userId: otherUserId, emailIndex: details.emailIndex, proved } },
  ]

  test('needs the code from the mail', () => {
    given(begun)
      .when(verifyAsOwner({ email: 'e1' }))
      .then(takenBack('email'))
    given(begun).when(verifyAsOwner(both)).then(takenBack('email', 'mobile'))
    given(begun)
      .when(verifyAsOwner({ mobile: 'm1' }))
      .thenRejected({ reason: 'already-registered' })
  })

  test('happens only once', () => {
    given([...begun, ...takenBack('email')])
      .when(initiate(5_000))
      .thenRejected({ reason: 'already-registered' })
    given([...begun, ...takenBack('email')])
      .when({ type: 'ReleaseEmail', userId })
      .thenNothing()
  })
})

describe('a registration that is completed', () => {
  test('stays its first user’s, whatever is completed later', () => {
    const first = stateAfter(...pending, completed)
    const again: RegistrationEvent = { type: 'RegistrationCompleted', data: { userId, emailIndex: details.emailIndex } }
    expect(first).toMatchObject({ status: 'completed', isEmailProved: true, pendingRegistrations: [] })
    expect(registrationDecider.evolve(first, again)).toBe(first)
    const open = stateAfter(...pending)
    const unknown: RegistrationEvent = { type: 'RegistrationCompleted', data: { ...again.data, userId: otherUserId } }
    expect(registrationDecider.evolve(open, unknown)).toBe(open)
    const proved: RegistrationEvent = { type: 'EmailProved', data: { userId, emailIndex: details.emailIndex } }
    expect(registrationDecider.evolve(open, proved)).toBe(open)
  })

  test('keeps the registrations of others until the address is proved', () => {
    const other: RegistrationEvent = {
      type: 'RegistrationInitiated',
      data: { ...details, userId: otherUserId, browserHash: 'browser-2' },
    }
    const unproved = stateAfter(initiated, other, provedBy('mobile'))
    const usersOf = (state: RegistrationState) => state.pendingRegistrations.map((one) => one.details.userId)
    expect(usersOf(unproved)).toEqual([otherUserId])
    const ofOther: RegistrationEvent = {
      type: 'RegistrationCompleted',
      data: { userId: otherUserId, emailIndex: details.emailIndex },
    }
    expect(registrationDecider.evolve(unproved, ofOther)).toBe(unproved)
    const proved: RegistrationEvent = { type: 'EmailProved', data: { userId, emailIndex: details.emailIndex } }
    expect(registrationDecider.evolve(unproved, proved)).toMatchObject({
      isEmailProved: true,
      pendingRegistrations: [],
    })
  })

  test('leaves the address open when it is released', () => {
    expect(registrationDecider.initial).toEqual({ status: 'open', pendingRegistrations: [] })
    expect(stateAfter(...pending, completed, { type: 'EmailReleased', data: { userId } })).toEqual({
      status: 'open',
      pendingRegistrations: [],
      formerUserId: userId,
    })
  })
})

test('codes that were not sent are recorded while a registration is pending', () => {
  given(pending)
    .when({ type: 'ReportCodesNotSent', issueId: 'issue at 0' })
    .then([notSent('issue at 0')])
  given([...pending, completed])
    .when({ type: 'ReportCodesNotSent', issueId: 'issue at 0' })
    .thenNothing()
})

test('the registration of a browser is the one that it began', () => {
  const begun = (browserHash: string | undefined, id = userId): RegistrationEvent => ({
    type: 'RegistrationInitiated',
    data: { ...details, userId: id, browserHash },
  })
  const state = stateAfter(begun('browser-1'), begun('browser-2', otherUserId), begun(undefined))
  expect(pendingOfBrowser(state, 'browser-2')?.details.userId).toBe(otherUserId)
  expect(pendingOfBrowser(state, 'browser-3')).toBeUndefined()
  expect(pendingOfBrowser(state, undefined)).toBeUndefined()
})

test('keeps the recorded stream category', () => expect(registrationDecider.category).toBe('registration'))

describe('proving the address', () => {
  test('is recorded once, for the user whose address it is', () => {
    const proved: RegistrationEvent = { type: 'EmailProved', data: { userId, emailIndex: details.emailIndex } }
    const unproved = [...pending, provedBy('mobile')]
    given(unproved).when({ type: 'ProveEmail', userId }).then([proved])
    given([...unproved, proved])
      .when({ type: 'ProveEmail', userId })
      .thenNothing()
    given(unproved).when({ type: 'ProveEmail', userId: otherUserId }).thenNothing()
    given([...pending, completed])
      .when({ type: 'ProveEmail', userId })
      .thenNothing()
    given(pending).when({ type: 'ProveEmail', userId }).thenNothing()
  })
})

describe('resending', () => {
  test('needs a pending registration', () => {
    given([])
      .when(resend(40, { email: 'e2' }))
      .thenRejected({ reason: 'not-pending' })
    given([...pending, completed])
      .when(resend(40, { email: 'e2' }))
      .thenRejected({ reason: 'not-pending' })
  })

  test('needs the number it was started with', () => {
    given(pending)
      .when(resend(40, { email: 'e2' }, 'another'))
      .thenRejected({ reason: 'does-not-match' })
  })

  test.each([
    [0, 30],
    [29.5, 1],
    [29.999, 1],
  ])('%s seconds after the last code is too soon', (seconds, retryAfterSeconds) => {
    given(pending).when(resend(seconds, both)).thenRejected({ reason: 'sent-too-recently', retryAfterSeconds })
  })

  test('after 30 seconds issues a new code', () => {
    given(pending)
      .when(resend(30, { email: 'e2' }))
      .then([issued(30, { email: 'e2' }, 'resend')])
  })

  test('over one channel leaves the other free to resend', () => {
    given([...pending, issued(40, { email: 'e2' }, 'resend')])
      .when(resend(41, { mobile: 'm2' }))
      .then([issued(41, { mobile: 'm2' }, 'resend')])
  })

  test('is possible five times an hour, not counting the first codes', () => {
    const resends = [1, 2, 3, 4].map((n) => issued(n * minute, both, 'resend'))
    given([...pending, ...resends])
      .when(resend(5 * minute, both))
      .then([issued(5 * minute, both, 'resend')])
    given([...pending, ...resends, issued(5 * minute, both, 'resend')])
      .when(resend(10 * minute, both))
      .thenRejected({ reason: 'sent-too-often', retryAfterSeconds: 51 * minute })
    given([...pending, ...resends, issued(5 * minute, both, 'resend')])
      .when(resend(61 * minute, both))
      .then([issued(61 * minute, both, 'resend')])
  })

  test('allows an immediate retry of a failed send without counting it as a resend', () => {
    given([initiated, issued(0, both, 'first', 'lost'), notSent('lost')])
      .when(resend(1, both))
      .then([issued(1, both, 'resend')])
    const failed = [1, 2, 3, 4, 5].flatMap((n) => [
      issued(n * minute, both, 'resend', `lost ${n}`),
      notSent(`lost ${n}`),
    ])
    given([...pending, ...failed])
      .when(resend(5 * minute + 1, both))
      .then([issued(5 * minute + 1, both, 'resend')])
  })

  test('keeps the last code that was sent valid while later ones could not be sent', () => {
    const unsent = [
      issued(minute, { email: 'e2' }, 'resend', 'lost 1'),
      notSent('lost 1'),
      issued(2 * minute, { email: 'e3' }, 'resend', 'lost 2'),
      notSent('lost 2'),
    ]
    given([...pending, ...unsent])
      .when(verify(3 * minute, { email: both.email }))
      .then([provedBy('email')])
    // It may have arrived all the same.
    given([...pending, ...unsent])
      .when(verify(3 * minute, { email: 'e3' }))
      .then([provedBy('email')])
    const reportedLate = [...unsent.filter(({ type }) => type === 'CodesIssued'), notSent('lost 1'), notSent('lost 2')]
    given([...pending, ...reportedLate])
      .when(verify(3 * minute, { email: both.email }))
      .then([provedBy('email')])
    given([...pending, ...unsent, issued(4 * minute, { email: 'e4' }, 'resend')])
      .when(verify(5 * minute, { email: both.email }))
      .then([wrong('email')])
  })

  test('limits the retries of failed sends', () => {
    const failed = Array.from({ length: codeLimits.sendAttemptsPerWindow }, (_, n) => [
      issued(n, both, 'resend', `lost ${n}`),
      notSent(`lost ${n}`),
    ]).flat()
    given([initiated, ...failed])
      .when(resend(100, both))
      .thenRejected({ reason: 'sent-too-often', retryAfterSeconds: 3_500 })
  })

  test('ignores a failed send of a registration that is not pending', () => {
    given([]).when({ type: 'ReportCodesNotSent', issueId: 'lost' }).thenNothing()
  })
})

describe('verifying', () => {
  test.each<[PerChannel<string>, Channel[]]>([
    [{ email: 'e1' }, ['email']],
    [{ mobile: 'm1' }, ['mobile']],
    [both, ['email', 'mobile']],
  ])('%o completes the registration, and it is on record which', (entered, proved) => {
    given(pending)
      .when(verify(60, entered))
      .then([provedBy(...proved)])
  })

  test('needs the code from the mail if the number has confirmed another account', () => {
    const taken = { ...verify(60, { mobile: 'm1' }), isNumberTaken: true } as const
    given(pending).when(taken).thenRejected({ reason: 'number-in-use' })
    given(pending)
      .when({ ...taken, entered: both })
      .then([provedBy('email')])
  })

  test.each<[PerChannel<string>, Channel[]]>([
    [{ email: 'x' }, ['email']],
    [{ mobile: 'x' }, ['mobile']],
    [{ email: 'e1', mobile: 'x' }, ['mobile']],
    [{ email: 'm1', mobile: 'e1' }, ['email', 'mobile']],
  ])('%o is recorded as wrong', (entered, wrongChannels) => {
    given(pending)
      .when(verify(60, entered))
      .then([wrong(...wrongChannels)])
  })

  test('a code is good for 10 minutes', () => {
    given(pending)
      .when(verify(10 * minute - 1, { email: 'e1' }))
      .then([provedBy('email')])
    given(pending)
      .when(verify(10 * minute, { email: 'e1' }))
      .thenRejected({ reason: 'does-not-match' })
  })

  test('only the newest code of a channel counts', () => {
    const resent = [...pending, issued(40, { email: 'e2' }, 'resend')]
    given(resent)
      .when(verify(50, { email: 'e1' }))
      .then([wrong('email')])
    given(resent)
      .when(verify(50, { email: 'e2', mobile: 'm1' }))
      .then([provedBy('email', 'mobile')])
  })

  test('rejects even the right code after five wrong attempts, until a new one is sent', () => {
    const guesses = Array.from({ length: 5 }, () => wrong('email'))
    given([...pending, ...guesses.slice(1)])
      .when(verify(60, { email: 'e1' }))
      .then([provedBy('email')])
    given([...pending, ...guesses])
      .when(verify(60, { email: 'e1' }))
      .thenRejected({ reason: 'does-not-match' })
    given([...pending, ...guesses, issued(70, { email: 'e2' }, 'resend')])
      .when(verify(80, { email: 'e2' }))
      .then([provedBy('email')])
  })

  test('keeps the other channel usable after wrong attempts on one', () => {
    given([...pending, ...Array.from({ length: 5 }, () => wrong('email'))])
      .when(verify(60, { mobile: 'm1' }))
      .then([provedBy('mobile')])
  })

  test('with another number never succeeds and uses up no attempts', () => {
    given(pending)
      .when(verify(60, { email: 'e1' }, 'another'))
      .thenRejected({ reason: 'does-not-match' })
  })

  test('is rejected without a registration or without any code', () => {
    given([])
      .when(verify(60, { email: 'e1' }))
      .thenRejected({ reason: 'does-not-match' })
    given(pending).when(verify(60, {})).thenRejected({ reason: 'does-not-match' })
  })

  test('accepts only its own codes again after completion', () => {
    given([...pending, completed])
      .when(verify(60, both))
      .thenNothing()
    given([...pending, completed])
      .when(verify(60, { email: 'x' }))
      .thenRejected({ reason: 'does-not-match' })
  })

  test('rejects alike for its number and any other after completion, at any time', () => {
    for (const seconds of [60, 9 * minute, 10 * minute, 5_000]) {
      for (const number of [details.mobileIndex, 'another']) {
        given([...pending, completed])
          .when(verify(seconds, { email: 'x' }, number))
          .thenRejected({ reason: 'does-not-match' })
      }
    }
  })

  test('accepts no code after completion without codes', () => {
    given([initiated, completed])
      .when(verify(60, { email: 'e1' }))
      .thenRejected({ reason: 'does-not-match' })
  })
})

describe('a caller with a browser secret', () => {
  const begun = [{ ...initiated, data: { ...details, browserHash: 'browser-1' } }, issued(0, both)]
  const from = (browserHash: string, command: RegistrationCommand) => ({ ...command, browserHash }) as const

  test('continues its own registration', () => {
    given(begun)
      .when(from('browser-1', verify(60, { email: 'e1' })))
      .then([provedBy('email')])
    given(begun)
      .when(from('browser-1', resend(40, { email: 'e2' })))
      .then([issued(40, { email: 'e2' }, 'resend', 'issue at 40', 'browser')])
  })

  test('is rejected for a registration of another browser, without using up attempts', () => {
    for (const command of [verify(60, { email: 'e1' }), verify(60, { email: 'x' }), resend(40, { email: 'e2' })]) {
      given(begun).when(from('browser-2', command)).thenRejected({ reason: 'not-begun-here' })
    }
    given([])
      .when(from('browser-1', verify(60, { email: 'e1' })))
      .thenRejected({ reason: 'not-begun-here' })
  })

  test('is the only one that learns of expired codes and too many guesses', () => {
    const guesses = Array.from({ length: 5 }, () => wrongFrom('browser', 'email'))
    const reasons: [RegistrationEvent[], number, RegistrationRejection['reason']][] = [
      [begun, 10 * minute, 'code-expired'],
      [[...begun, ...guesses], 60, 'too-many-wrong-codes'],
    ]
    for (const [events, seconds, reason] of reasons) {
      const command = verify(seconds, { email: 'e1' })
      const decide = (asked: RegistrationCommand) => given(events).when(asked)
      if (reason === 'code-expired') decide(from('browser-1', command)).thenRejected({ reason: 'code-expired' })
      else decide(from('browser-1', command)).thenRejected({ reason: 'too-many-wrong-codes' })
      decide(from('browser-2', command)).thenRejected({ reason: 'not-begun-here' })
    }
    given(begun)
      .when(verify(10 * minute, { email: 'e1' }))
      .thenRejected({ reason: 'does-not-match' })
  })

  test('matches registrations without a recorded browser, and a caller without a secret matches any', () => {
    given(pending)
      .when(from('browser-1', verify(60, { email: 'e1' })))
      .then([provedBy('email')])
    given(begun)
      .when(verify(60, { email: 'e1' }))
      .then([provedBy('email')])
  })
})

describe('events from before an address could have several registrations', () => {
  const formerIssue = (seconds: number, codes: PerChannel<string>) => {
    const { data } = registrationEventSchema.parse(issued(seconds, codes))
    const { userId: _userId, by: _by, ...former } = { userId, by: undefined, ...data }
    return registrationEventSchema.parse({ type: 'CodesIssued', data: former })
  }

  test('concern the newest registration, with its browser and number', () => {
    const events: RegistrationEvent[] = [
      { type: 'RegistrationInitiated', data: { ...details, browserHash: 'browser-1' } },
      formerIssue(0, both),
      { type: 'RegistrationInitiated', data: { ...details, mobileIndex: 'other', browserHash: 'browser-2' } },
      formerIssue(40, { email: 'e2', mobile: 'm2' }),
      { type: 'WrongCodesEntered', data: { channels: ['email'] } },
    ]
    given(events)
      .when({ ...verify(60, { email: 'e2' }, 'other'), browserHash: 'browser-2' })
      .then([provedBy('email')])
    given([...events, completed])
      .when({ ...verify(60, { email: 'e2' }, 'other'), browserHash: 'browser-2' })
      .thenNothing()
    given([...events, completed])
      .when(initiate(5_000))
      .thenRejected({ reason: 'already-registered' })
  })
})

describe('registering directly', () => {
  test('completes without codes', () => {
    given([]).when({ type: 'RegisterDirectly', details }).then([initiated, completed])
  })

  test('is rejected when the address has an account', () => {
    given([initiated, completed])
      .when({ type: 'RegisterDirectly', details })
      .thenRejected({ reason: 'already-registered' })
  })
})

describe('expiring a registration', () => {
  const day = 24 * 60 * minute
  const emailIndex = details.emailIndex
  const expire = (seconds: number, of = userId) =>
    ({ type: 'ExpireRegistration', userId: of, emailIndex, now: at(seconds) }) as const
  const expired = (of = userId): RegistrationEvent => ({
    type: 'RegistrationExpired',
    data: { userId: of, emailIndex },
  })

  test('forgets what nobody completed, also one that the state no longer lists', () => {
    given(pending).when(expire(day)).then([expired()])
    given([...pending, expired()])
      .when(resend(day, both))
      .thenRejected({ reason: 'not-pending' })
    given([]).when(expire(day)).then([expired()])
    given([...pending, completed])
      .when(expire(day, otherUserId))
      .then([expired(otherUserId)])
  })
  test('keeps one whose browser may complete it, but not for codes of strangers', () => {
    given([initiated, issued(day - 60, both)])
      .when(expire(day))
      .thenNothing()
    given([...pending, issued(day - 60, both, 'resend')])
      .when(expire(day))
      .then([expired()])
  })
  test('concerns the one registration, whatever others the address has', () => {
    const other: RegistrationEvent = {
      type: 'RegistrationInitiated',
      data: { ...details, userId: otherUserId, browserHash: 'browser-2' },
    }
    given([initiated, issued(day - 60, both), other])
      .when(expire(day, otherUserId))
      .then([expired(otherUserId)])
  })
  test('never ends an account, nor one that was', () => {
    given([...pending, completed])
      .when(expire(day))
      .thenNothing()
    given([...pending, completed, { type: 'EmailReleased', data: { userId } }])
      .when(expire(day))
      .thenNothing()
  })
})

describe('releasing the address', () => {
  test('is recorded once, for the user who had it', () => {
    given([initiated, completed])
      .when({ type: 'ReleaseEmail', userId })
      .then([{ type: 'EmailReleased', data: { userId } }])
    given([initiated, completed]).when({ type: 'ReleaseEmail', userId: otherUserId }).thenNothing()
    given([]).when({ type: 'ReleaseEmail', userId }).thenNothing()
  })
})

test('rejects a stored event of an unknown type or shape', () => {
  expect(() => registrationDecider.parse({ type: 'RegistrationInvented', data: {} })).toThrow(UnknownEventTypeError)
  expect(() => registrationDecider.parse({ type: 'CodesIssued', data: { issueId: 'x' } })).toThrow(ZodError)
})

describe('any sequence of commands of one browser', () => {
  /** Times go forward; each step tries one command. */
  const steps = fc.array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 900 }),
      action: fc.constantFrom('initiate', 'resend-email', 'resend-both', 'fail', 'guess-email', 'guess-both'),
    }),
    { maxLength: 120 },
  )

  const play = (script: readonly { seconds: number; action: string }[]) => {
    let state: RegistrationState = registrationDecider.initial
    let now = 0
    let issue = 0
    const log: { at: number; event: RegistrationEvent }[] = []
    for (const { seconds, action } of script) {
      now += seconds
      issue += 1
      const codes = action === 'resend-email' ? { email: `e${issue}` } : { email: `e${issue}`, mobile: `m${issue}` }
      const fresh = { issueId: `i${issue}`, codes, now: at(now) }
      const claim = { mobileIndex: details.mobileIndex, browserHash: 'browser-1' }
      const mine = { ...details, browserHash: 'browser-1' }
      const commands: Record<string, RegistrationCommand> = {
        initiate: { type: 'InitiateRegistration', details: mine, fresh },
        'resend-email': { type: 'ResendCodes', ...claim, fresh },
        'resend-both': { type: 'ResendCodes', ...claim, fresh },
        fail: { type: 'ReportCodesNotSent', issueId: `i${issue - 1}` },
        'guess-email': { ...verify(now, { email: 'guess' }), ...claim },
        'guess-both': { ...verify(now, { email: 'guess', mobile: 'guess' }), ...claim },
      }
      const command = commands[action]
      if (!command) throw new Error(`No command for ${action}`)
      const decided = registrationDecider.decide(command, state)
      for (const event of decided.ok ? decided.value : []) {
        state = registrationDecider.evolve(state, event)
        log.push({ at: now, event })
      }
    }
    return log
  }

  const within = (seconds: number, end: number) => seconds > end - 3_600 && seconds <= end

  test.each(channels)('gets no more codes over %s than the limits allow', (channel) => {
    fc.assert(
      fc.property(steps, (script) => {
        const log = play(script)
        const all = log.flatMap(({ at: seconds, event }) =>
          event.type === 'CodesIssued' && event.data.codes[channel] !== undefined
            ? [{ seconds, kind: event.data.kind, issueId: event.data.issueId }]
            : [],
        )
        const failed = new Set(log.map(({ event }) => (event.type === 'CodesNotSent' ? event.data.issueId : undefined)))
        const sent = all.filter(({ issueId }) => !failed.has(issueId))
        const resent = sent.filter(({ kind }) => kind === 'resend')

        const gaps = sent.slice(1).map(({ seconds }, n) => seconds - (sent[n]?.seconds ?? 0))
        expect(gaps.filter((gap) => gap < 30)).toEqual([])
        for (const [limit, sendAttempts] of [
          [codeLimits.resendsPerWindow, resent],
          [codeLimits.sendAttemptsPerWindow, all],
        ] as const) {
          const perHour = sendAttempts.map(
            (last) => sendAttempts.filter(({ seconds }) => within(seconds, last.seconds)).length,
          )
          expect(Math.max(0, ...perHour)).toBeLessThanOrEqual(limit)
        }
      }),
      { numRuns: 300 },
    )
  })

  test('gets no more than five guesses at a code', () => {
    fc.assert(
      fc.property(steps, (script) => {
        let guesses = 0
        for (const { event } of play(script)) {
          if (event.type === 'CodesIssued' && event.data.codes.email !== undefined) guesses = 0
          if (event.type === 'WrongCodesEntered' && event.data.channels.includes('email')) guesses += 1
          expect(guesses).toBeLessThanOrEqual(codeLimits.wrongAttempts)
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('any commands of strangers with an address', () => {
  const owner = { ...details, browserHash: 'owners-browser' }
  const ownersClaim = { mobileIndex: owner.mobileIndex, browserHash: 'owners-browser' }
  const strangers = ['stranger-1', 'stranger-2', 'stranger-3']
  const strangersId = (n: number) =>
    userIdSchema.parse(`01980000-0000-7000-8000-000000001${String(n).padStart(3, '0')}`)

  /** All that a caller can do who reads neither the owner's mail nor their messages, and knows their number. */
  const deeds = fc.array(
    fc.record({
      seconds: fc.integer({ min: 0, max: 60 }),
      who: fc.integer({ min: 0, max: strangers.length - 1 }),
      hasCookie: fc.boolean(),
      knowsNumber: fc.boolean(),
      deed: fc.constantFrom('begin', 'resend', 'guess', 'finish-by-phone', 'fail'),
    }),
    { maxLength: 60 },
  )

  const command = (
    { who, hasCookie, knowsNumber, deed }: { who: number; hasCookie: boolean; knowsNumber: boolean; deed: string },
    now: number,
    step: number,
  ): RegistrationCommand => {
    const mobileIndex = knowsNumber ? owner.mobileIndex : `mobile-${who}`
    const claim = { mobileIndex, browserHash: hasCookie ? strangers[who] : undefined }
    const fresh = { issueId: `s${step}`, codes: { email: `se${step}`, mobile: `sm-${who}` }, now: at(now) }
    switch (deed) {
      case 'begin': {
        const browserHash = hasCookie ? strangers[who] : `fresh-${step}`
        return {
          type: 'InitiateRegistration',
          details: { ...details, userId: strangersId(step), mobileIndex, browserHash },
          fresh,
        }
      }
      case 'resend':
        return { type: 'ResendCodes', ...claim, fresh }
      case 'guess':
        return { type: 'VerifyCodes', ...claim, entered: { email: 'a guess', mobile: 'a guess' }, now: at(now) }
      case 'finish-by-phone':
        return {
          type: 'VerifyCodes',
          mobileIndex: `mobile-${who}`,
          browserHash: strangers[who],
          entered: { mobile: `sm-${who}` },
          now: at(now),
        }
      default:
        return { type: 'ReportCodesNotSent', issueId: `s${step - 1}` }
    }
  }

  test('do not affect the browser that began: its code works, and it gets new ones', () => {
    fc.assert(
      fc.property(deeds, fc.array(deeds, { maxLength: 3 }), (before, after) => {
        let state: RegistrationState = registrationDecider.initial
        let now = 0
        let step = 0
        const run = (asked: RegistrationCommand) => {
          const decided = registrationDecider.decide(asked, state)
          for (const event of decided.ok ? decided.value : []) state = registrationDecider.evolve(state, event)
          return decided
        }
        const strangersDo = (list: typeof before) => {
          for (const deed of list) {
            now += deed.seconds
            run(command(deed, now, step))
            step += 1
          }
        }
        strangersDo(before)
        const begun = run({
          type: 'InitiateRegistration',
          details: owner,
          fresh: { issueId: 'o', codes: { email: 'mine-0', mobile: 'm' }, now: at(now) },
        })
        expect(begun.ok).toBe(true)
        let sentAt = now
        let code = 'mine-0'
        for (const [n, list] of after.entries()) {
          strangersDo(list)
          now = Math.max(now, sentAt + 30)
          code = `mine-${n + 1}`
          const fresh = { issueId: `o${n}`, codes: { email: code }, now: at(now) }
          expect(run({ type: 'ResendCodes', ...ownersClaim, fresh }).ok).toBe(true)
          sentAt = now
        }
        const done = run({ type: 'VerifyCodes', ...ownersClaim, entered: { email: code }, now: at(sentAt + 1) })
        expect(done).toMatchObject({ ok: true })
        expect(state).toMatchObject({ status: 'completed', details: { userId: owner.userId }, isEmailProved: true })
      }),
      { numRuns: 300 },
    )
  })
})
